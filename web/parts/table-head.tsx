/** Head of a table: the names of its columns, with a class where they are aligned or shown otherwise. */
export function TableHead({
  columns,
}: {
  columns: readonly (string | { text: string; className: string })[];
}) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const { text, className } =
            typeof column === 'string' ? { text: column, className: undefined } : column;
          return (
            <th key={text} scope="col" className={className}>
              {text}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

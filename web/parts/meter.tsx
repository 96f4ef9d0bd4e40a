/** Bar that shows how much of something is left. `share` is in percent; `label` says it in words. */
export function Meter({
  share,
  look,
  label,
}: {
  share: number;
  look: 'up' | 'warn' | 'down';
  label: string;
}) {
  return (
    <div className="meter" role="img" aria-label={label}>
      <i className={look} style={{ width: `${share}%` }} />
    </div>
  );
}

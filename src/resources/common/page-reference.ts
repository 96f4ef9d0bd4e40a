import { z } from 'zod';

/** Envelope of a paged list (contract 4.1). @param id name of the component, such as `MonitorPage`. */
export function pageSchema<Item extends z.ZodType>(item: Item, id: string) {
  return z
    .object({
      data: z.array(item),
      current_page: z.int(),
      per_page: z.int(),
      total: z.int().meta({ description: 'Number of items on all pages.' }),
      last_page: z.int(),
      from: z
        .int()
        .nullable()
        .meta({ description: 'Number of the first item on the page; null on an empty one.' }),
      to: z
        .int()
        .nullable()
        .meta({ description: 'Number of the last item on the page; null on an empty one.' }),
      first_page_url: z.url(),
      last_page_url: z.url(),
      next_page_url: z.url().nullable(),
      prev_page_url: z.url().nullable(),
      path: z.url().meta({ description: 'URL of the list without query.' }),
    })
    .meta({ id, description: 'One page of a list. The page URLs keep the other parameters.' });
}

/** Example of a page with all items. */
export function pageExample(path: string, data: object[]) {
  const url = `https://up.example.com/api/v1${path}`;
  return {
    data,
    current_page: 1,
    per_page: 20,
    total: data.length,
    last_page: 1,
    from: 1,
    to: data.length,
    first_page_url: `${url}?page=1`,
    last_page_url: `${url}?page=1`,
    next_page_url: null,
    prev_page_url: null,
    path: url,
  };
}

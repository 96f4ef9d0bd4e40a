import type { z } from 'zod';
import type { Paging } from '../../store/resources/monitors.ts';
import { queryNumber } from './input.ts';
import { oneOf } from '../../lib/schemas.ts';

/** The envelope of all lists (contract 4.1). */
export interface Page<Item> {
  data: Item[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
}

/** The query parameters that every paged list has. */
export const PAGE_QUERY = {
  direction: oneOf(['asc', 'desc'])
    .optional()
    .meta({ description: 'asc unless given, where there is a `sort`; else desc.' }),
  page: queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number')
    .optional()
    .meta({ description: '1 unless given. One past the end is empty.' }),
  per_page: queryNumber(1, 100, 'a whole number')
    .optional()
    .meta({ description: 'Items on a page; 20 unless given.' }),
} satisfies z.ZodRawShape;

interface PageQuery<Sort extends string> {
  sort?: Sort | undefined;
  direction?: 'asc' | 'desc' | undefined;
  page?: number | undefined;
  per_page?: number | undefined;
}

const PER_PAGE = 20;

/** A `sort` without `direction` is ascending; without `sort` the newest come first (contract 4.13, 4.16). */
export function pagingOf<Sort extends string>(
  query: PageQuery<Sort>,
  byDefault: Sort,
): PagePaging<Sort> {
  const limit = query.per_page ?? PER_PAGE;
  const page = query.page ?? 1;
  return {
    page,
    sort: query.sort ?? byDefault,
    direction: query.direction ?? (query.sort === undefined ? 'desc' : 'asc'),
    limit,
    offset: (page - 1) * limit,
  };
}

type PagePaging<Sort extends string> = Paging<Sort> & { page: number };

/** Where a list was asked for. */
export interface ListAddress {
  /** Absolute, without query. */
  path: string;
  /** The query as it came, without `?`; all but `page` is kept in the page urls. */
  query: string;
}

export function pageOf<Item>(
  data: Item[],
  total: number,
  paging: Pick<PagePaging<string>, 'page' | 'limit' | 'offset'>,
  address: ListAddress,
): Page<Item> {
  const current = paging.page;
  const last = Math.max(1, Math.ceil(total / paging.limit));
  const kept = address.query.split('&').filter((part) => part !== '' && !/^page(=|$)/.test(part));
  const urlOf = (page: number) => `${address.path}?${[...kept, `page=${page}`].join('&')}`;
  return {
    data,
    current_page: current,
    per_page: paging.limit,
    total,
    last_page: last,
    from: data.length === 0 ? null : paging.offset + 1,
    to: data.length === 0 ? null : paging.offset + data.length,
    first_page_url: urlOf(1),
    last_page_url: urlOf(last),
    next_page_url: current < last ? urlOf(current + 1) : null,
    prev_page_url: current > 1 ? urlOf(Math.min(current - 1, last)) : null,
    path: address.path,
  };
}

import type { z } from 'zod';
import type { Paging } from '../../store/resources/monitors.ts';
import { queryNumber } from './input.ts';
import { oneOf } from '../../lib/schemas.ts';

/** Query parameters of paged lists with a fixed order. */
export const UNSORTED_PAGE_QUERY = {
  page: queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number')
    .optional()
    .meta({ description: 'By default 1. A page after the last one is empty.' }),
  per_page: queryNumber(1, 100, 'a whole number')
    .optional()
    .meta({ description: 'Items per page; by default 20.' }),
} satisfies z.ZodRawShape;

/** Query parameters of paged lists with a `sort`. */
export const PAGE_QUERY = {
  direction: oneOf(['asc', 'desc'])
    .optional()
    .meta({ description: 'By default asc with a `sort`, and desc without.' }),
  ...UNSORTED_PAGE_QUERY,
} satisfies z.ZodRawShape;

export interface PageQuery<Sort extends string> {
  sort?: Sort | undefined;
  direction?: 'asc' | 'desc' | undefined;
  page?: number | undefined;
  per_page?: number | undefined;
}

const DEFAULT_PER_PAGE = 20;

/** Ascending for a `sort` without `direction`; newest first without `sort` (contract 4.13, 4.16). */
export function pagingOf<Sort extends string>(query: PageQuery<Sort>, byDefault: Sort) {
  const limit = query.per_page ?? DEFAULT_PER_PAGE;
  const page = query.page ?? 1;
  return {
    page,
    sort: query.sort ?? byDefault,
    direction: query.direction ?? (query.sort === undefined ? 'desc' : 'asc'),
    limit,
    offset: (page - 1) * limit,
  };
}

/** A page by its number, and by the items before it. */
export type PagePaging<Sort extends string> = Paging<Sort> & { page: number };

/** Address of the request for a list. */
export interface ListAddress {
  /** Absolute URL without query. */
  path: string;
  /** Query as received, without `?`; the page URLs keep all of it except `page`. */
  query: string;
}

export function pageOf<Item>(
  data: Item[],
  total: number,
  paging: Pick<PagePaging<string>, 'page' | 'limit' | 'offset'>,
  address: ListAddress,
) {
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

/** Envelope of paged lists (contract 4.1). */
export type Page<Item> = ReturnType<typeof pageOf<Item>>;

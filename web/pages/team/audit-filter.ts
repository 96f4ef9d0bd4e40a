import { addressFilter, number, anyText } from '../../lib/address-filter.ts';

/** Filter of the audit log in the address; `user_id` is who made the change, days are such as `2030-01-31`. */
export const { read: readAuditFilter, write: writeAuditFilter } = addressFilter({
  action: anyText(),
  target_type: anyText(),
  user_id: anyText((id) => /^\d+$/.test(id)),
  search: anyText(),
  start_date: anyText(),
  end_date: anyText(),
  page: number(1),
});

export type AuditFilter = ReturnType<typeof readAuditFilter>;

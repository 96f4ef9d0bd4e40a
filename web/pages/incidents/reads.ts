import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queries, useRead, type ApiError } from '../../app/api.ts';
import { listIncidentRounds } from '../../client/sdk.gen.ts';
import type { IncidentRounds } from '../../client/types.gen.ts';

/** Rounds that an incident follows from. */
export function useRounds(id: number): UseQueryResult<IncidentRounds, ApiError> {
  return useRead(['incident', id, 'rounds'], () => listIncidentRounds({ path: { id } }));
}

/** Reads the rounds of an incident again when its monitor was checked again. */
export function useNewRounds(id: number, checkedAt: string | null | undefined): void {
  useEffect(() => {
    if (checkedAt) void queries.invalidateQueries({ queryKey: ['incident', id, 'rounds'] });
  }, [id, checkedAt]);
}

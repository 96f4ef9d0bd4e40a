import { database } from '../store/database.ts';
export const due = database;

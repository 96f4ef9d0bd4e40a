export const database = 'store';

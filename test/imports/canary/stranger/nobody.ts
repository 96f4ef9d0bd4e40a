export const nobody = 'knows this folder';

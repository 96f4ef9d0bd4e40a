export const helper = 'lib';

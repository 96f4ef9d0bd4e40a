export interface Judge {
  name: string;
}
export const judge: Judge = { name: 'judge' };

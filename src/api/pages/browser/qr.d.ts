export { encodeQR } from 'qr';

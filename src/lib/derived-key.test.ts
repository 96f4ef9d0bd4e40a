import { describe, expect, it } from 'vitest';
import { createTokenSigner } from './derived-key.ts';

const signer = (keys: string[], purpose = 'tocsin test v1') =>
  createTokenSigner({ keys, purpose, contentBytes: 3 });
const content = Buffer.from([1, 2, 3]);

describe('signed tokens', () => {
  it('return their content', () => {
    const token = signer(['first']).sign(content);
    expect(token).toMatch(/^[\w-]+$/);
    expect(signer(['first']).verify(token)).toEqual(content);
  });

  it('are valid while their key is on the list', () => {
    const token = signer(['old']).sign(content);
    expect(signer(['new', ' old ', '']).verify(token)).toEqual(content);
    expect(signer(['new']).verify(token)).toBeNull();
  });

  it('serve one purpose only', () => {
    const token = signer(['first']).sign(content);
    expect(signer(['first'], 'tocsin other v1').verify(token)).toBeNull();
  });

  it('have one spelling, one length and no changed byte', () => {
    const { sign, verify } = signer(['first']);
    const token = sign(content);
    for (const other of [
      '',
      token.slice(1),
      `${token}A`,
      `${token}=`,
      ` ${token}`,
      `B${token.slice(1)}`,
    ])
      expect(verify(other), other).toBeNull();
  });

  it('need a key', () => {
    expect(() => signer(['', ' '])).toThrow('SECRET_KEY holds no key');
  });
});

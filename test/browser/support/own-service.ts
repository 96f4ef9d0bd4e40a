import { expect } from 'vitest';
import { freePorts } from '../../support/free-ports.ts';
import type { Service, useServices } from '../../support/service.ts';
import { startSmtpServer, type ReceivedMail } from '../../support/smtp-server.ts';

/** The owner of the service, who is also its operator. */
export const ADA = { email: 'ada@northwind.example', password: 'correct-horse-battery-9' };

/** A new service with an owner, without rate limits. */
export interface OwnService {
  /** Its BASE_URL. */
  url: string;
  service: Service;
  /** Folder of its data. */
  folder: string;
  /** Resolves with the newest mail to an address, once there are that many. */
  mailTo(address: string, count?: number): Promise<ReceivedMail>;
}

/**
 * Starts a service for one test.
 *
 * @param options.mail whether it can send mails; it can unless given
 * @param options.isSetUp whether it has an owner; it has unless given
 */
export async function startOwnService(
  services: ReturnType<typeof useServices>,
  { mail = true, isSetUp = true }: { mail?: boolean; isSetUp?: boolean } = {},
): Promise<OwnService> {
  const [port] = (await freePorts(1)) as [number];
  const url = `http://localhost:${port}`;
  const smtp = await startSmtpServer();
  const folder = await services.folder();
  const service = await services.start({
    DATA_DIR: folder,
    PORT: String(port),
    BASE_URL: url,
    ...(isSetUp
      ? { ADMIN_EMAIL: ADA.email, ADMIN_PASSWORD: ADA.password }
      : { ADMIN_TOKEN: undefined }),
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    ...(mail && {
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM: 'Tocsin <tocsin@northwind.example>',
    }),
  });
  return {
    url,
    service,
    folder,
    async mailTo(address, count = 1) {
      const all = () => smtp.received.filter(({ to }) => to.includes(address));
      await expect.poll(() => all().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
      return all().at(-1)!;
    },
  };
}

/** Address of the page that a mail leads to. Throws without one. */
export function linkIn({ text }: ReceivedMail, path: string): string {
  const link = text.match(/https?:\/\/\S+/g)?.find((one) => one.includes(path));
  if (link === undefined) throw new Error(`The mail has no link to ${path}:\n${text}`);
  return link;
}

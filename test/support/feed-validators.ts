import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import jsonFeedSchema from 'jsonfeed-schema/schema-v1.1.json' with { type: 'json' };
import { RelaxNGValidator, XmlDocument } from 'libxml2-wasm';

/** Validates feeds: Atom by RFC 4287 and RSS 2.0 as RELAX NG with libxml2, JSON Feed 1.1 by its JSON Schema. */
export const FEED_VALIDATORS = {
  atom: xmlValidator('atom.rng'),
  rss: xmlValidator('rss.rng'),
  jsonFeed: jsonValidator(),
} as const;

/** @returns a function from a feed to what is wrong with it; null for a valid one. */
function xmlValidator(file: string): (feed: string) => string | null {
  const schema = readFileSync(new URL(`feed-schemas/${file}`, import.meta.url));
  const validator = RelaxNGValidator.fromDoc(XmlDocument.fromBuffer(schema));
  return (feed) => {
    try {
      using document = XmlDocument.fromString(feed);
      validator.validate(document);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
}

function jsonValidator(): (feed: string) => string | null {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  const validate = ajv.compile(jsonFeedSchema);
  return (feed) => (validate(JSON.parse(feed)) ? null : ajv.errorsText(validate.errors));
}

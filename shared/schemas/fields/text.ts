import * as v from 'valibot';

/** Maximum UTF-8 bytes of an ID: a DynamoDB sort key has 1,024 bytes, including prefixes and escapes. */
export const ID_BYTES_MAX = 256;

/**
 * Characters that an ID must not contain: control characters, marks that change the direction of text (IDs are shown in
 * terminals), and characters that SQS rejects in a message.
 */
const UNFIT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is rejected
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/;

/** True if a text has a character that no id has, or half of one. */
export function hasUnfitCharacter(text: string): boolean {
  return UNFIT.test(text) || !text.isWellFormed();
}

const encoder = new TextEncoder();

/** An identifier chosen by the caller: 1 to 256 UTF-8 bytes, no controls or direction marks, no surrounding space, and no dots alone. */
export const Id = v.pipe(
  v.string(),
  v.check(
    (value) =>
      value.length > 0 &&
      value.length <= ID_BYTES_MAX &&
      encoder.encode(value).length <= ID_BYTES_MAX &&
      !hasUnfitCharacter(value) &&
      value.trim() === value,
    `must be 1 to ${ID_BYTES_MAX} bytes of text without control characters, direction marks or surrounding spaces`,
  ),
  // Clients resolve these segments before they send a path, encoded or not: the request would reach another endpoint.
  v.check((value) => value !== '.' && value !== '..', 'must not be . or .., which a URL cannot contain'),
);

export const textUpTo = (lengthMax: number) =>
  v.pipe(v.string(), v.maxLength(lengthMax, `must be at most ${lengthMax} characters`));

/** True for content whose length is known only when it is rendered. */
export const isRendered = (text: string) => /\{[{%]/.test(text);

/** Content of at most `lengthMax` characters, where its length is known before it is rendered. */
export const knownUpTo = (lengthMax: number) =>
  v.pipe(
    v.string(),
    v.check(
      (value) => value.length <= lengthMax || isRendered(value),
      `must be at most ${lengthMax} characters`,
    ),
  );

export const filledTextUpTo = (lengthMax: number) =>
  v.pipe(
    v.string(),
    v.check((value) => value.trim().length > 0, 'must not be empty'),
    v.maxLength(lengthMax, `must be at most ${lengthMax} characters`),
  );

/** One email address as RFC 5321 allows it without quoting or comments; at most 254 characters. */
export const EmailAddress = v.pipe(
  v.string(),
  v.check((value) => isEmailAddress(value), 'must be one email address, such as ada@example.com'),
);

/** The address of `Ada <ada@example.com>`, which is also written alone. */
export const addressIn = (mailbox: string): string => /^[^<>]*<([^<>\s]+)>$/.exec(mailbox)?.[1] ?? mailbox;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not get into a header
const NAME = /^[^\u0000-\u001f\u007f<>]{0,128}$/;

/** One email address, or `Name <address>`. */
export const Mailbox = v.pipe(
  v.string(),
  v.check(
    (value) => isEmailAddress(addressIn(value)) && NAME.test(nameIn(value)),
    'must be one email address, such as ada@example.com or Ada <ada@example.com>',
  ),
);

/** The name of `Ada <ada@example.com>` or `"Ada" <ada@example.com>`; empty without one. */
export const nameIn = (mailbox: string): string =>
  addressIn(mailbox) === mailbox
    ? ''
    : mailbox
        .slice(0, mailbox.indexOf('<'))
        .trim()
        .replace(/^"(.*)"$/, '$1');

/** `letter` and `alphanumeric` are the insides of character classes. */
function addressParts(letter: string, alphanumeric: string): { local: RegExp; domain: RegExp } {
  const atom = `[${alphanumeric}!#$%&'*+/=?^_\`{|}~-]+`;
  const inside = `[${alphanumeric}-]{0,61}[${alphanumeric}]`;
  return {
    local: new RegExp(`^${atom}(\\.${atom})*$`, 'u'),
    domain: new RegExp(`^(?:[${alphanumeric}](?:${inside})?\\.)+[${letter}](?:${inside})$`, 'u'),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is what is asked for
const ASCII = /^[\u0000-\u007f]*$/;
const asciiParts = addressParts('A-Za-z', 'A-Za-z0-9');
const unicodeParts = onFirstUse(() => addressParts('\\p{L}', '\\p{L}\\p{N}'));

/** Letters of all scripts take a twentieth of a function's init, and few addresses have any. */
function onFirstUse<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export function isEmailAddress(value: string): boolean {
  const at = value.lastIndexOf('@');
  if (at < 1 || at > 64 || value.length > 254) return false;
  const parts = ASCII.test(value) ? asciiParts : unicodeParts();
  return parts.local.test(value.slice(0, at)) && parts.domain.test(value.slice(at + 1));
}

export const HttpsUrl = v.pipe(
  v.string(),
  v.maxLength(2048, 'must be at most 2048 characters'),
  v.check((value) => isUrl(value, ['https:']), 'must be an https URL'),
);

export const WebUrl = v.pipe(
  v.string(),
  v.maxLength(2048, 'must be at most 2048 characters'),
  v.check((value) => isUrl(value, ['https:', 'http:']), 'must be an http or https URL'),
);

/** An https URL, or http on the developer's own machine, of at most 2,048 characters. */
export const HttpsOrLocalUrl = v.pipe(
  v.string(),
  v.maxLength(2048, 'must be at most 2048 characters'),
  v.check(isHttpsOrLocal, 'must be an https URL, or http on localhost'),
);

/** A URL in a response, not checked. */
export const UrlText = v.string();

function isHttpsOrLocal(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol === 'https:') return true;
  return url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

function isUrl(value: string, protocols: string[]): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url !== undefined && protocols.includes(url.protocol);
}

/** A record of free-form values; `__proto__` and its like are dropped. */
export const FreeForm = v.record(v.string(), v.unknown());
export type FreeForm = v.InferOutput<typeof FreeForm>;

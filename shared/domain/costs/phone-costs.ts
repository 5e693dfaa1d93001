import { defined } from '../../runtime/values/defined.ts';
import type { Channel } from '../../schemas/channel.ts';
import { spokenWords } from '../../schemas/fields/ssml.ts';
import type { TextFacts } from '../../schemas/sending/phone-settings.ts';
import { countSegments, findUcs2Character } from '../phone/sms-segments.ts';

/** The channels whose messages have a price. */
export const PHONE_CHANNELS = ['SMS', 'CALL'] as const satisfies readonly Channel[];
export type PhoneChannel = (typeof PHONE_CHANNELS)[number];

/**
 * The expected cost of a text message or call: `units` are its segments or minutes, `code` is the recipient's calling
 * code without `+`, `estimatedMicros` are millionths of a USD. A reported cost carries the estimate it replaces, and the
 * time the message was sent.
 */
export type PhoneEstimate = {
  code: string;
  units: number;
  estimatedMicros: number;
  sentAtMs?: number | undefined;
};

/** Calling codes have one, two or three digits, and none is the beginning of another. */
const ONE_DIGIT = /^[17]/;
const TWO_DIGITS = /^(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

export function callingCodeOf(e164: string): string {
  const digits = e164.replace(/^\+/, '');
  const length = ONE_DIGIT.test(digits) ? 1 : TWO_DIGITS.test(digits) ? 2 : 3;
  return digits.slice(0, length);
}

/** A message with a file costs about as much as three segments. */
const UNITS_OF_FILE = 3;

export function unitsOfText(message: string, files: number): number {
  return files > 0 ? files * UNITS_OF_FILE : countSegments(message).segments;
}

/** What a rendered text message is sent as, and its price at the estimate of a part. */
export function textFacts({ message, mediaUrls }: Record<string, unknown>, centsPerPart: number): TextFacts {
  const text = typeof message === 'string' ? message : '';
  const { encoding, segments } = countSegments(text);
  const files = Array.isArray(mediaUrls) ? mediaUrls.length : 0;
  const estimatedPrice = (unitsOfText(text, files) * centsPerPart) / 100;
  const ucs2Character = findUcs2Character(text);
  return { encoding, characters: [...text].length, segments, estimatedPrice, ...defined({ ucs2Character }) };
}

/** Characters spoken in a minute, at about 150 words. */
const SPOKEN_PER_MINUTE = 900;

/** Billed minutes of a call: each minute that begins. */
export function unitsOfCall(message: string, repeat = 1): number {
  return Math.max(1, Math.ceil((spokenWords(message).length * repeat) / SPOKEN_PER_MINUTE));
}

/** Names of the counters of an account's estimates and reported costs, by channel and calling code. */
export const heldName = (channel: PhoneChannel) => `${channel} held`;
export const unitsName = (channel: PhoneChannel, code: string) => `${channel} ${code} units`;
export const costName = (channel: PhoneChannel, code: string) => `${channel} ${code} cost`;
/** Name of the sum of the estimates of all sent messages. Unlike the estimates of `heldName`, it stays when the price arrives. */
export const settledName = (channel: PhoneChannel) => `${channel} settled`;

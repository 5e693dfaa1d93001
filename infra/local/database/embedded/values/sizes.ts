import { sizeOfNumber } from './numbers.ts';
import type { WireItem, WireValue } from './wire.ts';

const COLLECTION_BYTES = 3;

/** Bytes that DynamoDB counts for an item: names in UTF-8 and values. */
export function sizeOf(item: WireItem): number {
  let bytes = 0;
  for (const name of Object.keys(item)) bytes += Buffer.byteLength(name) + sizeOfValue(item[name] ?? {});
  return bytes;
}

export function sizeOfValue(value: WireValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return sizeOfNumber(value.N);
  if (value.M) return COLLECTION_BYTES + sizeOf(value.M) + Object.keys(value.M).length;
  if (value.L) return value.L.reduce((sum, each) => sum + 1 + sizeOfValue(each), COLLECTION_BYTES);
  if (value.B !== undefined) return bytesIn(value.B);
  if (value.SS) return value.SS.reduce((sum, each) => sum + Buffer.byteLength(each), 0);
  if (value.NS) return value.NS.reduce((sum, each) => sum + sizeOfNumber(each), 0);
  return value.BS ? value.BS.reduce((sum, each) => sum + bytesIn(each), 0) : 1;
}

/** The value of the function `size`: UTF-8 bytes of a text, bytes, or the number of members. */
export function measure(value: WireValue): number | undefined {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.B !== undefined) return bytesIn(value.B);
  if (value.M) return Object.keys(value.M).length;
  return (value.L ?? value.SS ?? value.NS ?? value.BS)?.length;
}

function bytesIn(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { convertToAttr, convertToNative } from '@aws-sdk/util-dynamodb';
import { setField, type WireItem, type WireValue } from './values/wire.ts';

/** Returns what the document client makes of an item, with bytes as text. */
export function toWireItem(item: Record<string, unknown>): WireItem {
  const fields: WireItem = {};
  for (const name of Object.keys(item)) {
    const value = item[name];
    if (value === undefined || typeof value === 'function') continue;
    setField(fields, name, toWire(value));
  }
  return fields;
}

function toWire(value: unknown): WireValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER)
    return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (Array.isArray(value))
    return { L: value.filter((each) => each !== undefined && typeof each !== 'function').map(toWire) };
  if (isPlain(value)) return { M: toWireItem(value) };
  // Sets, bytes, other kinds of numbers, and what cannot be stored.
  return bytesAsText(convertToAttr(value, { removeUndefinedValues: true }));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function bytesAsText(value: AttributeValue): WireValue {
  if (value.B) return { B: base64(value.B) };
  if (value.BS) return { BS: value.BS.map(base64) };
  if (value.L) return { L: value.L.map(bytesAsText) };
  if (value.M)
    return {
      M: Object.fromEntries(Object.entries(value.M).map(([name, each]) => [name, bytesAsText(each)])),
    };
  // All other values are texts and truths in both forms.
  return value as WireValue;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** The item as the document client returns it. */
export function fromWireItem(item: WireItem): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(item)) setField(fields, name, fromWire(item[name] ?? {}));
  return fields;
}

function fromWire(value: WireValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) {
    const number = Number(value.N);
    return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : convertToNative({ N: value.N });
  }
  if (value.M) return fromWireItem(value.M);
  if (value.L) return value.L.map(fromWire);
  if (value.BOOL !== undefined) return value.BOOL;
  return value.NULL ? null : convertToNative(withBytes(value));
}

/** The item as the plain client returns it, and as errors have it. */
export function withBytesItem(item: WireItem): Record<string, AttributeValue> {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, withBytes(value)]));
}

function withBytes(value: WireValue): AttributeValue {
  if (value.B !== undefined) return { B: bytesOf(value.B) };
  if (value.BS) return { BS: value.BS.map(bytesOf) };
  if (value.L) return { L: value.L.map(withBytes) };
  if (value.M) return { M: withBytesItem(value.M) };
  // All other values are texts and truths in both forms.
  return value as AttributeValue;
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}

import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Maximum JSON bytes of the content of a template or component, and maximum bytes after compression. */
export const CONTENT_BYTES_MAX = 1_000_000;
export const PACKED_BYTES_MAX = 350_000;

/** Content as it is stored: JSON, deflated. Undefined when it is too large for one item. */
export function packContent(content: object): Uint8Array | undefined {
  const json = Buffer.from(JSON.stringify(content));
  if (json.length > CONTENT_BYTES_MAX) return undefined;
  const packed = deflateRawSync(json);
  return packed.length > PACKED_BYTES_MAX ? undefined : packed;
}

export function unpackContent(packed: Uint8Array): { content: unknown; sizeBytes: number } {
  const json = inflateRawSync(packed, { maxOutputLength: CONTENT_BYTES_MAX });
  return { content: JSON.parse(json.toString('utf8')), sizeBytes: json.length };
}

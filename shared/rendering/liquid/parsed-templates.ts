import type { Template } from 'liquidjs';

/** `isChecked`: nothing is wrong with it, so that it is not checked again. */
export type ParsedTemplate = { templates: Template[]; componentIds: string[]; isChecked?: true };

/** Parsed templates by their source, the least recently used dropped first. */
export type ParsedTemplates = ReturnType<typeof openParsedTemplates>;

const BYTES_PER_TAG = 1100;
const BYTES_PER_TEMPLATE = 500;

/**
 * Caches parsed templates of about `sizeBytesMax` in total (measured: 1,100 bytes of heap per tag, and the
 * source). One that would take more than a quarter of that is not cached.
 */
export function openParsedTemplates(sizeBytesMax: number) {
  const entries = new Map<string, { parsed: ParsedTemplate; sizeBytes: number }>();
  let sizeBytes = 0;
  return {
    find(source: string): ParsedTemplate | undefined {
      const entry = entries.get(source);
      if (!entry) return undefined;
      entries.delete(source);
      entries.set(source, entry);
      return entry.parsed;
    },
    keep(source: string, parsed: ParsedTemplate, tagCount: number): void {
      const size = 2 * source.length + BYTES_PER_TAG * tagCount + BYTES_PER_TEMPLATE;
      if (size > sizeBytesMax / 4 || entries.has(source)) return;
      entries.set(source, { parsed, sizeBytes: size });
      sizeBytes += size;
      for (const [oldest, entry] of entries) {
        if (sizeBytes <= sizeBytesMax) break;
        entries.delete(oldest);
        sizeBytes -= entry.sizeBytes;
      }
    },
  };
}

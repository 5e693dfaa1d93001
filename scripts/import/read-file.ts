import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { findJson } from '../../shared/runtime/find-json.ts';
import { CommandError, EXIT } from '../command.ts';
import type { Line } from './contact.ts';
import { documentsIn, isOnePerLine, recordsIn } from './json-records.ts';
import { nestedRecord, recordLine } from './pinpoint.ts';
import { mappingOf, plainLine } from './plain-csv.ts';

/** The input: an export of Pinpoint or SES (JSON or CSV) or plain CSV. Both may be compressed with gzip. */
export type Source = {
  kind: 'pinpoint' | 'csv';
  file: string;
  columns: readonly string[];
  delimiter?: string | undefined;
};

/** Reads the file line by line, however long it is. */
export async function* readLines(source: Source): AsyncGenerator<Line> {
  const start = (await startOf(source.file)).replace(/^\uFEFF/, '');
  if (source.kind === 'csv' || !/^\s*[[{]/.test(start)) yield* csvLines(source, start);
  else if (isOnePerLine(start)) yield* jsonLines(source.file);
  else yield* jsonDocuments(source.file);
}

async function* jsonLines(file: string): AsyncGenerator<Line> {
  let line = 0;
  for await (const text of createInterface({ input: contentOf(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    const json = text.replace(/^\uFEFF/, '').trim();
    if (json === '') continue;
    const value = findJson(json);
    if (value === undefined) yield { kind: 'rejected', line, because: 'it is not one JSON object per line' };
    else for (const record of recordsIn(value)) yield recordLine(line, record);
  }
}

/** The responses of commands are small; an export has one object per line and is streamed. */
const DOCUMENT_BYTES_MAX = 200_000_000;

/** Counts records, not lines. */
async function* jsonDocuments(file: string): AsyncGenerator<Line> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of contentOf(file)) {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > DOCUMENT_BYTES_MAX)
      throw new CommandError('The file is too large for indented JSON. Write one object per line: jq -c .');
  }
  let line = 0;
  for (const value of documentsIn(
    Buffer.concat(chunks)
      .toString('utf8')
      .replace(/^\uFEFF/, ''),
  )) {
    for (const record of value === undefined ? [undefined] : recordsIn(value)) {
      line += 1;
      if (record === undefined)
        yield { kind: 'rejected', line, because: 'from here on it is not valid JSON' };
      else yield recordLine(line, record);
    }
  }
}

async function* csvLines(source: Source, start: string): AsyncGenerator<Line> {
  const { kind, file, columns, delimiter = delimiterOf(start) } = source;
  const parser = parse({
    bom: true,
    columns: true,
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const input = contentOf(file);
  input.on('error', (error) => parser.destroy(error));
  input.pipe(parser);
  let line = 1;
  let mapping: ReturnType<typeof mappingOf> | undefined;
  try {
    for await (const record of parser) {
      line += 1;
      const fields: Record<string, string> = Object.fromEntries(
        Object.entries(Object(record)).map(([name, value]) => [name, String(value ?? '')]),
      );
      if (kind === 'pinpoint') {
        yield recordLine(line, nestedRecord(fields));
        continue;
      }
      mapping ??= mappingOf(Object.keys(fields), columns);
      yield plainLine(line, fields, mapping);
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const because = error instanceof Error ? error.message.split('\n')[0] : 'unknown';
    throw new CommandError(`The file cannot be read as CSV: ${because}`);
  }
}

/** The separator of the header line. */
function delimiterOf(start: string): string {
  const [header = ''] = start.replace(/"[^"]*"/g, '').split(/\r?\n/);
  const counts = [',', ';', '\t', '|'].map((each) => ({ each, count: header.split(each).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).each;
}

const GZIP = [0x1f, 0x8b];
const START_BYTES = 64 * 1024;
const compressed = new Set<string>();

function contentOf(file: string): Readable {
  const stream = createReadStream(file);
  if (!compressed.has(file)) return stream;
  const unzip = createGunzip();
  stream.on('error', (error) => unzip.destroy(error));
  return stream.pipe(unzip);
}

/** The beginning of the content, to detect its format. */
async function startOf(file: string): Promise<string> {
  const handle = await open(file).catch(() => {
    throw new CommandError(`The file ${file} does not exist.`, EXIT.usage);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    if (bytesRead === 2 && GZIP.every((byte, index) => buffer[index] === byte)) compressed.add(file);
    else compressed.delete(file);
  } finally {
    await handle.close();
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of contentOf(file)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= START_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

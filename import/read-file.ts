import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { type Readable, Transform } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { CommandError, EXIT } from '../scripts/frame/command.ts';
import { findJson } from '../shared/runtime/values/find-json.ts';
import type { Line } from './contact.ts';
import { documentsIn, isOnePerLine, recordsIn } from './json-records.ts';
import { nestedRecord, recordLine } from './pinpoint.ts';
import { type Mapping, mappingOf, plainLine } from './plain-csv.ts';

/** The input: an export of Pinpoint or SES (JSON or CSV), plain CSV, or an object per line. Gzip files are decompressed. */
export type Source = {
  kind: 'pinpoint' | 'csv' | 'ndjson';
  file: string;
  columns: readonly string[];
  delimiter?: string | undefined;
};

export async function* readLines(source: Source): AsyncGenerator<Line> {
  const start = await readStart(source.file);
  if (source.kind === 'ndjson') yield* jsonLines(source.file, plainRecord(source.columns));
  else if (source.kind === 'csv' || !/^\s*[[{]/.test(start)) yield* csvLines(source, start);
  else if (isOnePerLine(start)) yield* jsonLines(source.file, pinpointRecords);
  else yield* jsonDocuments(source.file);
}

const NOT_READ = 'it is not one JSON object per line, or nested too deeply';

type Reader = (line: number, value: unknown) => Line[];

const pinpointRecords: Reader = (line, value) => recordsIn(value).map((record) => recordLine(line, record));

/** Reads an object per line. The names inside of an object are paths such as `profile.email`. */
function plainRecord(columns: readonly string[]): Reader {
  return (line, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [{ kind: 'rejected', line, because: NOT_READ }];
    const record = flattened(Object(value));
    return [plainLine(line, record, mappingOf(Object.keys(record), columns, true))];
  };
}

/** Lists and the values of attributes stay as they are. */
function flattened(value: Record<string, unknown>, path = ''): Record<string, unknown> {
  const entries = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    const isObject = typeof each === 'object' && each !== null && !Array.isArray(each);
    if (!isObject || path === 'attributes.') return [[path + name, each]];
    return Object.entries(flattened(Object(each), `${path}${name}.`));
  });
  return Object.fromEntries(entries);
}

async function* jsonLines(file: string, read: Reader): AsyncGenerator<Line> {
  let line = 0;
  for await (const text of createInterface({ input: contentOf(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    const json = text.trim();
    if (json === '') continue;
    const value = findJson(json);
    if (value === undefined) yield { kind: 'rejected', line, because: NOT_READ };
    else yield* read(line, value);
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
  for (const value of documentsIn(Buffer.concat(chunks).toString('utf8'))) {
    for (const record of value === undefined ? [undefined] : recordsIn(value)) {
      line += 1;
      if (record === undefined)
        yield { kind: 'rejected', line, because: 'from here on it is not valid JSON, or nested too deeply' };
      else yield recordLine(line, record);
    }
  }
}

/** Most characters of a record: a file without line ends would be one. */
const RECORD_LENGTH_MAX = 200_000;

const TOO_LONG = { kind: 'rejected', because: 'it has more columns than the header line' } as const;

async function* csvLines(source: Source, start: string): AsyncGenerator<Line> {
  const { kind, file, columns, delimiter = delimiterOf(start) } = source;
  let mapping: Mapping = { placed: [] };
  /** Rejected records, some lines ahead of the records that are read. */
  const bad: Extract<Line, { kind: 'rejected' }>[] = [];
  const badBefore = (line: number) => bad.splice(0, bad.findLastIndex((each) => each.line < line) + 1);
  const parser = parse({
    // Of the header line, not of a record: a short one has only the first columns.
    columns: (header: string[]) => {
      if (kind === 'pinpoint') return header;
      assertDistinct(header);
      mapping = mappingOf(header, columns);
      return header;
    },
    info: true,
    delimiter,
    from_line: NAMED_SEPARATOR.test(start) ? 2 : 1,
    // A value too many would move the others into other columns.
    relax_column_count_less: true,
    relax_quotes: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error?.code !== 'CSV_RECORD_INCONSISTENT_COLUMNS') throw error;
      bad.push({ ...TOO_LONG, line: Number(Object(error).lines) });
    },
    max_record_size: RECORD_LENGTH_MAX,
    skip_empty_lines: true,
    // An attribute with several values has several columns of one name.
    group_columns_by_name: kind === 'pinpoint',
  });
  const input = contentOf(file);
  input.on('error', (error) => parser.destroy(error));
  input.pipe(parser);
  try {
    for await (const { info, record } of parser) {
      yield* badBefore(info.lines);
      if (kind === 'pinpoint') yield recordLine(info.lines, nestedRecord(Object(record)));
      else yield plainLine(info.lines, fieldsOf(record), mapping);
    }
    yield* bad;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const because = error instanceof Error ? error.message.split('\n')[0] : 'unknown';
    throw new CommandError(`The file cannot be read as CSV: ${because}`);
  }
}

const fieldsOf = (record: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(Object(record)).map(([name, value]) => [name, String(value ?? '')]));

/** Of two columns with one name, only the last would be read. */
function assertDistinct(header: readonly string[]): void {
  const seen = new Set<string>();
  const twin = header.find((name) => name !== '' && seen.size === seen.add(name).size);
  if (twin === undefined) return;
  throw new CommandError(`The header line has the column ${twin} twice. Rename one of them.`, EXIT.usage);
}

/** The first line of a file for Excel. */
const NAMED_SEPARATOR = /^\uFEFF?"?sep=(.)"?\r?\n/i;
/** The separator that a file names, or that of its header line. */
function delimiterOf(start: string): string {
  const [header = ''] = start.replace(/"[^"]*"/g, '').split(/\r?\n/);
  const counts = [',', ';', '\t', '|'].map((each) => ({ each, count: header.split(each).length }));
  return NAMED_SEPARATOR.exec(start)?.[1] ?? counts.reduce((a, b) => (b.count > a.count ? b : a)).each;
}

const GZIP = [0x1f, 0x8b];
const START_BYTES = 64 * 1024;
const compressed = new Set<string>();

/** Small, so that the first chunk of a file that expands without end is not much. */
const CHUNK_BYTES = 16 * 1024;

/** The content as UTF-8 without a byte order mark. Fails with a CommandError if it is in another encoding. */
function contentOf(file: string): Readable {
  const stream = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  const text = toUtf8();
  stream.on('error', (error) => text.destroy(error));
  if (!compressed.has(file)) return stream.pipe(text);
  const unzip = createGunzip();
  stream.on('error', (error) => unzip.destroy(error));
  unzip.on('error', ({ message }) =>
    text.destroy(new CommandError(`The file cannot be decompressed: ${message}.`)),
  );
  const bounded = boundedBy(unzip);
  bounded.on('error', (error) => text.destroy(error));
  return stream.pipe(unzip).pipe(bounded).pipe(text);
}

/** Real exports shrink to a tenth. A file that shrinks further is built to fill the memory or the time. */
const EXPANSION_MAX = 100;
const EXPANDED_BYTES_FREE = 1_000_000;

/** Passes on what the bytes read so far may expand to. Fails with a CommandError beyond that. */
function boundedBy(unzip: Gunzip): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      const isTooLarge = bytes > EXPANDED_BYTES_FREE && bytes > unzip.bytesWritten * EXPANSION_MAX;
      const message = `The file expands to more than ${EXPANSION_MAX} times its size. Decompress it first if that is right.`;
      done(isTooLarge ? new CommandError(message) : null, chunk);
    },
  });
}

const NOT_UTF8 =
  'The file is not in UTF-8. Convert it, for example with iconv; save a spreadsheet as CSV; if it is compressed, decompress it first, unless it is gzip.';

/** Replaced bytes would turn different IDs into the same ID. */
function toUtf8(): Transform {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  const decode = (chunk?: Buffer) => {
    decoder ??= new TextDecoder(chunk ? encodingOf(chunk) : 'utf-8', { fatal: true });
    return decoder.decode(chunk, { stream: chunk !== undefined });
  };
  const next = (done: (error: Error | null, text?: string) => void, chunk?: Buffer) => {
    try {
      done(null, decode(chunk));
    } catch {
      done(new CommandError(NOT_UTF8));
    }
  };
  return new Transform({
    transform: (chunk: Buffer, _, done) => next(done, chunk),
    flush: (done) => next(done),
  });
}

function encodingOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** The beginning of the content, to detect its format. */
async function readStart(file: string): Promise<string> {
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

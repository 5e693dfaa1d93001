import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { ROUTES } from '../../functions/routes.ts';
import { WORKERS } from '../../functions/workers.ts';
import { fileNameOf } from '../../shared/http/rows/route.ts';
import type { ServiceCode } from './stacks/service-stacks.ts';

/** Folders of functions in one archive: functions share most of their files, and each is stored once. */
type Index = { folders: Record<string, Record<string, number>>; sizes: number[] };

export const ARCHIVE = 'functions.br';
/** Functions resemble each other: the window spans all of them. */
const WINDOW_BITS = 26;
const LENGTH_BYTES = 4;

export function packFolders(folders: ReadonlyMap<string, ReadonlyMap<string, Buffer>>): Buffer {
  const places = new Map<string, number>();
  const contents: Buffer[] = [];
  const placeOf = (content: Buffer): number => {
    const hash = createHash('sha256').update(content).digest('hex');
    const place = places.get(hash) ?? contents.push(content) - 1;
    places.set(hash, place);
    return place;
  };
  const index: Index = {
    folders: Object.fromEntries(
      [...folders].map(([folder, files]) => [
        folder,
        Object.fromEntries([...files].map(([name, content]) => [name, placeOf(content)])),
      ]),
    ),
    sizes: contents.map(({ length }) => length),
  };
  const head = Buffer.from(JSON.stringify(index));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  return brotliCompressSync(Buffer.concat([length, head, ...contents]), {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 6,
      [constants.BROTLI_PARAM_LARGE_WINDOW]: 1,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
    },
  });
}

function unpackFolders(archive: Buffer, target: string): void {
  const all = brotliDecompressSync(archive, { params: { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 } });
  const start = LENGTH_BYTES + all.readUInt32BE();
  const { folders, sizes }: Index = JSON.parse(all.toString('utf8', LENGTH_BYTES, start));
  let end = start;
  const contents = sizes.map((size) => {
    end += size;
    return all.subarray(end - size, end);
  });
  for (const [folder, files] of Object.entries(folders)) {
    mkdirSync(join(target, folder), { recursive: true });
    for (const [name, place] of Object.entries(files))
      writeFileSync(join(target, folder, name), contents[place] ?? '');
  }
}

/** The functions of this package, unpacked once into the CDK's output folder, where an assembly's assets belong. */
export function packagedCode(outputFolder: string): ServiceCode {
  const file = join(import.meta.dirname, ARCHIVE);
  if (!existsSync(file)) throw new Error(`${file} is missing: npm run build:cdk writes it.`);
  const archive = readFileSync(file);
  const hash = createHash('sha256').update(archive).digest('hex').slice(0, 12);
  const folder = join(outputFolder, `notification-functions-${hash}`);
  if (!existsSync(folder)) {
    const partial = `${folder}-${process.pid}`;
    unpackFolders(archive, partial);
    renameSync(partial, folder);
  }
  const codeFolderOf = (kind: string, id: string) => join(folder, `${kind}-${fileNameOf(id)}`);
  return { routes: ROUTES, workers: WORKERS, codeFolderOf };
}

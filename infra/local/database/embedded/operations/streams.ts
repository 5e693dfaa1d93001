import { invalid, Rejected } from '../rejected.ts';
import type { Catalog } from '../storage/catalog.ts';
import type { Change } from '../storage/change-log.ts';
import type { TableDefinition } from '../storage/definition.ts';
import type { TableStore } from '../storage/table-store.ts';
import { nameIn, readSequence, sequenceText, shardIdOf, streamArn, streamLabel } from '../tables/arns.ts';
import type { WireItem } from '../values/wire.ts';

export type StreamRecord = {
  eventID: string;
  eventName: Change['eventName'];
  eventVersion: string;
  eventSource: string;
  awsRegion: string;
  userIdentity?: { Type: string; PrincipalId: string };
  dynamodb: {
    ApproximateCreationDateTime: number;
    Keys: WireItem;
    NewImage?: WireItem;
    OldImage?: WireItem;
    SequenceNumber: string;
    SizeBytes: number;
    StreamViewType: string;
  };
};

const RECORDS_MAX = 1000;
const PAGE_BYTES_MAX = 1024 * 1024;
const ITERATOR_MS = 15 * 60 * 1000;
const TYPES = ['TRIM_HORIZON', 'LATEST', 'AT_SEQUENCE_NUMBER', 'AFTER_SEQUENCE_NUMBER'];

export function recordOf({ streamView }: TableDefinition, change: Change): StreamRecord {
  const { key, before, after, sequence } = change;
  return {
    eventID: String(sequence).padStart(32, '0'),
    eventName: change.eventName,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'local',
    ...(change.isByTtl ? { userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' } } : {}),
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(change.atMs / 1000),
      Keys: key,
      ...(after ? { NewImage: after } : {}),
      ...(before ? { OldImage: before } : {}),
      SequenceNumber: sequenceText(sequence),
      SizeBytes: change.bytes,
      StreamViewType: streamView ?? '',
    },
  };
}

export function listStreams(catalog: Catalog, { TableName }: { TableName?: string }): object {
  const names = catalog.names().filter((name) => TableName === undefined || name === nameIn(TableName));
  return {
    Streams: names.flatMap((name) => {
      const definition = catalog.find(name)?.definition;
      if (!definition?.streamView) return [];
      const [StreamArn, StreamLabel] = [streamArn(definition), streamLabel(definition)];
      return [{ StreamArn, TableName: name, StreamLabel }];
    }),
  };
}

export function describeStream(catalog: Catalog, { StreamArn }: { StreamArn?: string }): object {
  const { definition, changes } = streamNamed(catalog, StreamArn);
  return {
    StreamDescription: {
      StreamArn: streamArn(definition),
      StreamLabel: streamLabel(definition),
      StreamStatus: 'ENABLED',
      StreamViewType: definition.streamView,
      CreationRequestDateTime: definition.createdAtMs / 1000,
      TableName: definition.name,
      KeySchema: definition.given.KeySchema,
      // It is never closed, so that it has no last number.
      Shards: [
        {
          ShardId: shardIdOf(definition),
          SequenceNumberRange: { StartingSequenceNumber: sequenceText(changes.horizon() + 1) },
        },
      ],
    },
  };
}

type IteratorInput = {
  StreamArn?: string;
  ShardId?: string;
  ShardIteratorType?: string;
  SequenceNumber?: string;
};
/** What an iterator is: the sequence number that it stands behind. */
type Iterator = { name: string; after: number; atMs: number };

export function getShardIterator(catalog: Catalog, input: IteratorInput, nowMs: number): object {
  const { ShardIteratorType: type = '', SequenceNumber } = input;
  if (!TYPES.includes(type))
    throw invalid(
      `1 validation error detected: Value '${type}' at 'shardIteratorType' failed to satisfy constraint: Member must satisfy enum value set: [${TYPES.join(', ')}]`,
    );
  const { definition, changes } = streamNamed(catalog, input.StreamArn);
  if (input.ShardId !== shardIdOf(definition))
    throw notFound(`Requested resource not found: Shard: ${input.ShardId}`);
  const isAt = type.endsWith('_SEQUENCE_NUMBER');
  if (isAt && !/^\d{21,40}$/.test(SequenceNumber ?? '')) throw invalid('Invalid SequenceNumber in request');
  const horizon = changes.horizon();
  const given = readSequence(SequenceNumber ?? '') - (type === 'AT_SEQUENCE_NUMBER' ? 1 : 0);
  if (isAt && given < horizon)
    throw new Rejected(
      'TrimmedDataAccessException',
      'The operation attempted to read past the oldest stream record in a shard.',
    );
  const after = isAt ? given : type === 'LATEST' ? changes.last() : horizon;
  return { ShardIterator: iteratorText({ name: definition.name, after, atMs: nowMs }) };
}

type RecordsInput = { ShardIterator?: string; Limit?: number };

export function getRecords(catalog: Catalog, input: RecordsInput, nowMs: number): object {
  const { Limit = RECORDS_MAX } = input;
  if (Limit < 1 || Limit > RECORDS_MAX)
    throw invalid(
      `1 validation error detected: Value '${Limit}' at 'limit' failed to satisfy constraint: Member must have value ${Limit < 1 ? 'greater than or equal to 1' : `less than or equal to ${RECORDS_MAX}`}`,
    );
  const { name, after, atMs } = readIterator(input.ShardIterator);
  if (nowMs - atMs > ITERATOR_MS)
    throw new Rejected('ExpiredIteratorException', 'The shard iterator has expired.');
  const { definition, changes } = tableWithStream(catalog, name);
  const page = pageOf(changes.after(after, Limit));
  const last = page.at(-1)?.sequence ?? after;
  return {
    Records: page.map((change) => recordOf(definition, change)),
    NextShardIterator: iteratorText({ name, after: last, atMs: nowMs }),
  };
}

/** At most 1 MB, but one record at least. */
function pageOf(changes: readonly Change[]): Change[] {
  let bytes = 0;
  const end = changes.findIndex((change, at) => {
    bytes += change.bytes;
    return at > 0 && bytes > PAGE_BYTES_MAX;
  });
  return end < 0 ? [...changes] : changes.slice(0, end);
}

function iteratorText(iterator: Iterator): string {
  return Buffer.from(JSON.stringify(iterator)).toString('base64');
}

function readIterator(text = ''): Iterator {
  try {
    const found: Iterator = JSON.parse(Buffer.from(text, 'base64').toString());
    if (typeof found.name === 'string' && Number.isInteger(found.after)) return found;
  } catch {
    // Anything may be sent.
  }
  throw invalid('Invalid ShardIterator');
}

function streamNamed(catalog: Catalog, arn: unknown): TableStore {
  if (typeof arn !== 'string')
    throw invalid(
      "1 validation error detected: Value null at 'streamArn' failed to satisfy constraint: Member must not be null",
    );
  const store = catalog.find(nameIn(arn));
  if (!store?.definition.streamView || streamArn(store.definition) !== arn)
    throw notFound(`Requested resource not found: Stream: ${arn} not found`);
  return store;
}

function tableWithStream(catalog: Catalog, name: string): TableStore {
  const store = catalog.find(name);
  if (!store?.definition.streamView)
    throw notFound(`Requested resource not found: Stream: ${name} not found`);
  return store;
}

function notFound(message: string): Rejected {
  return new Rejected('ResourceNotFoundException', message);
}

import type { TableDefinition } from '../storage/definition.ts';

const PREFIX = 'arn:aws:dynamodb:local:000000000000:table/';

export function tableArn(name: string): string {
  return `${PREFIX}${name}`;
}

export function nameIn(text: string): string {
  return text.startsWith('arn:') ? text.replace(/^.*:table\//, '').replace(/\/.*/s, '') : text;
}

/** The start time is the stream's name. */
export function streamLabel({ createdAtMs }: TableDefinition): string {
  return new Date(createdAtMs).toISOString().replace('Z', '');
}

export function streamArn(table: TableDefinition): string {
  return `${tableArn(table.name)}/stream/${streamLabel(table)}`;
}

/** Clients refuse an ID of under 28 characters. */
export function shardIdOf({ createdAtMs, id }: TableDefinition): string {
  return `shardId-${String(createdAtMs).padStart(20, '0')}-${String(id).padStart(8, '0')}`;
}

const SEQUENCE_DIGITS = 20;

/** Clients refuse a number of under 21 digits. */
export function sequenceText(sequence: number): string {
  return `1${String(sequence).padStart(SEQUENCE_DIGITS, '0')}`;
}

export function readSequence(text: string): number {
  return Number(text.slice(1));
}

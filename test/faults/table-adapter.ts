import type { Database } from '../../shared/database/database.ts';
import type { Mutant } from './mutant.ts';
import type { World } from './world.ts';

/** Every table operation of the present world, named by what it touches. */
export function tableAdapter(worldNow: () => World): Database {
  const names = [
    ...(['get', 'batchGet', 'batchPut', 'put', 'update'] as const),
    ...(['delete', 'query', 'queryAll', 'transact'] as const),
  ];
  const entries = names.map((name) => [
    name,
    async (...given: never[]) => {
      const world = worldNow();
      const { database: own } = world.table;
      // Checks at the end read without faults.
      const table = (world.running() && world.mutant?.table?.(own)) ?? own;
      const call = table[name] as (...all: never[]) => Promise<unknown>;
      const touched = itemsIn(name, given[0]);
      const invocation = world.running();
      const mutant = invocation && applyingMutant(world);
      if (name === 'put' && mutant?.skips?.(touched[0] ?? {})) return { written: true, item: touched[0] };
      if (name !== 'put' || !invocation) {
        const label = `table ${name} ${kindOf(touched[0])}`;
        const response = world.external(label, 'storage', () => call(...given));
        return invocation && world.mutant?.forgives?.test(label) ? response.catch(() => undefined) : response;
      }
      return recordingPut(world, touched[0] ?? {}, () => call(...given));
    },
  ]);
  return Object.fromEntries(entries) as Database;
}

/** The guard that is removed where the running function is: some are removed from what operators invoke only. */
export function applyingMutant({ mutant, running }: World): Mutant | undefined {
  return mutant?.isOfOperator && !running()?.isOperator ? undefined : mutant;
}

type Touched = { pk?: unknown; sk?: unknown };

function itemsIn(name: string, given: unknown): Touched[] {
  if (name === 'queryAll') return [{ pk: given }];
  if (Array.isArray(given)) return given.map((each) => each.put ?? each.update ?? each.delete ?? each);
  if (name !== 'query') return [given as Touched];
  const { IndexName, ExpressionAttributeValues } = given as {
    IndexName?: string;
    ExpressionAttributeValues: Record<string, unknown>;
  };
  return [{ pk: IndexName ?? ExpressionAttributeValues[':pk'] }];
}

/** `HEAD`, `EVENT#sms#sent`, `USER`: what an item is, without its names. */
function kindOf({ pk, sk }: Touched = {}): string {
  const [first] = String(pk).split('#');
  if (sk === undefined) return String(first);
  const [kind, ...rest] = String(sk).split('#');
  return kind === 'EVENT' ? ['EVENT', ...rest.slice(0, 2)].join('#') : `${first} ${kind}`;
}

const LAST_STAGES = ['sent', 'failed', 'replied'];

/** A put that closes the window of the messages it records: until it has taken effect, a fault may repeat them. */
async function recordingPut<T>(world: World, { pk, sk }: Touched, effect: () => Promise<T>): Promise<T> {
  const invocation = world.running();
  const [, prefix, stage = ''] = String(sk).split('#');
  const isLast = String(sk).startsWith('EVENT#') && LAST_STAGES.includes(stage);
  const own = nameOf(String(pk).slice('LOG#'.length), String(prefix));
  const recorded = !isLast ? [] : stage === 'replied' ? [...(invocation?.open ?? [])] : [own];
  let isDone = false;
  if (isLast && world.mutant?.recordsWithBatch) await batchOf(invocation);
  try {
    return await world.external(`table put ${kindOf({ pk, sk })}`, 'storage', async () => {
      const outcome = await effect();
      isDone = true;
      if (invocation && isRefused(outcome)) invocation.hasRepeated = true;
      for (const name of recorded) invocation?.open.delete(name);
      return outcome;
    });
  } finally {
    if (!isDone) for (const name of recorded) if (invocation?.open.has(name)) world.mayRepeat.add(name);
  }
}

/** Ends when the provider has responded to every message of an invocation. */
async function batchOf(invocation: ReturnType<World['running']>): Promise<void> {
  while (invocation && invocation.calling.size > 0 && !invocation.isDead)
    await new Promise((resume) => setImmediate(resume));
}

function isRefused(outcome: unknown): boolean {
  return typeof outcome === 'object' && outcome !== null && 'written' in outcome && !outcome.written;
}

/** A message to a provider: of one notification on one channel. */
export const nameOf = (trackingId: string, prefix: string) => `${trackingId} ${prefix}`;

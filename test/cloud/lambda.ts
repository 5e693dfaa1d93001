import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpack } from './code-folder.ts';
import { type Instance, startInstance, type Usage } from './instance.ts';
import type { Deployment, Resource } from './templates.ts';

/** Processes kept alive; the one that has been idle longest makes room. */
const INSTANCES_MAX = 16;

/** The functions of a deployment, each in a separate process under AWS's Runtime Interface Client. */
export type Lambda = {
  /** Resolves with the payload that the handler returned; throws a `FunctionError` when it failed. */
  invoke(arn: string, event: unknown): Promise<unknown>;
  usage: ReadonlyMap<string, Usage>;
  /** One line per failed start, error, timeout or written code folder, with the function's name. */
  problems: string[];
  /** Ends the instances, so that the next invocation starts with `aheadMs` added to its clock. */
  moveClock(aheadMs: number): Promise<void>;
  close(): Promise<void>;
};

/** Creates the functions; a process starts with the first invocation. `hosts` replaces addresses of AWS in settings. */
export function createLambda(
  deployment: Deployment,
  options: { endpoint: string; localize: (setting: string) => string },
): Lambda {
  const folder = mkdtempSync(join(tmpdir(), 'cloud-'));
  const usage = new Map<string, Usage>();
  const problems: string[] = [];
  const instances = new Map<string, Instance>();
  let aheadMs = 0;

  const functionOf = (arn: string) => {
    const plain = arn.split(':').slice(0, 7).join(':');
    const found = deployment.ofType('AWS::Lambda::Function').find((each) => each.arn === plain);
    if (!found) throw new Error(`there is no function ${arn}`);
    return found;
  };

  async function instanceOf(resource: Resource): Promise<Instance> {
    const running = instances.get(resource.ref);
    if (running && !running.isOver()) return running;
    const idle = [...instances]
      .filter(([, each]) => each.isIdle())
      .sort(([, a], [, b]) => a.usedAtMs() - b.usedAtMs());
    for (const [name, each] of idle.slice(0, Math.max(0, instances.size - INSTANCES_MAX + 1))) {
      instances.delete(name);
      void each.stop();
    }
    const record = usage.get(resource.ref) ?? {
      coldStartsMs: [],
      durationsMs: [],
      memoryMb: 0,
      memoryMaxMb: resource.properties.MemorySize,
    };
    usage.set(resource.ref, record);
    const code = unpack(deployment, resource, folder);
    const started = startInstance(resource, { ...options, code, aheadMs, usage: record, problems });
    instances.set(resource.ref, started);
    return started;
  }

  async function stopAll(): Promise<void> {
    const running = [...instances.values()];
    instances.clear();
    await Promise.all(running.map((each) => each.stop()));
  }

  return {
    usage,
    problems,
    invoke: async (arn, event) => (await instanceOf(functionOf(arn))).invoke(event),
    async moveClock(ms) {
      aheadMs = ms;
      await stopAll();
    },
    async close() {
      await stopAll();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

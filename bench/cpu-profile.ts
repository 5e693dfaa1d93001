import { readFileSync } from 'node:fs';

type Node = { id: number; callFrame: { functionName: string; url: string }; children?: number[] };
type Profile = { nodes: Node[]; samples: number[]; timeDeltas: number[] };

/** The parts of the local run by their files, the first that matches. */
const PARTS: readonly (readonly [name: string, files: RegExp])[] = [
  ['start', /\/infra\/local\/(start|run)\.ts$/],
  ['stream', /\/infra\/local\/database\/(stream|embedded-stream)|\/functions\/workers\/dispatch\//],
  ['table', /\/infra\/local\/database\//],
  ['queue', /\/infra\/local\/queue\//],
  ['gateway', /\/infra\/local\/gateway\/|\/shared\/http\//],
  ['sandbox, outbox and pages', /\/infra\/local\/|\/shared\/channels\/sandbox\//],
  ['validation', /\/shared\/schemas\/|\/functions\/sending\/content\/request-problems/],
  ['rendering', /\/shared\/rendering\//],
  ['what is stored, and its keys', /\/shared\/database\//],
  ['the rest of the service', /\/(shared|functions)\//],
];
const ENGINE = 'Node.js: garbage, and what nobody called';

/** The CPU of a profile in ms: each sample counts for the innermost part that it was called by. */
export function cpuByPart(file: string): { name: string; ms: number }[] {
  const { nodes, samples, timeDeltas }: Profile = JSON.parse(readFileSync(file, 'utf8'));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const partOf = new Map<number, string>();
  const name = (node: Node | undefined, caller: string) => {
    if (!node) return;
    const part = PARTS.find(([, files]) => files.test(node.callFrame.url))?.[0] ?? caller;
    partOf.set(node.id, part);
    for (const child of node.children ?? []) name(byId.get(child), part);
  };
  name(nodes[0], ENGINE);
  const sums = new Map<string, number>([...PARTS.map(([part]) => part), ENGINE].map((part) => [part, 0]));
  for (const [at, id] of samples.entries()) {
    if (byId.get(id)?.callFrame.functionName === '(idle)') continue;
    const part = partOf.get(id) ?? ENGINE;
    sums.set(part, (sums.get(part) ?? 0) + (timeDeltas[at] ?? 0) / 1000);
  }
  return [...sums].map(([part, ms]) => ({ name: part, ms }));
}

/** The components that each component embeds. Components that embed none can be omitted. */
export type Embeddings = ReadonlyMap<string, readonly string[]>;

/** Longest chain of components embedded in one another, counted from the template's component. */
export const COMPONENT_DEPTH_MAX = 3;

/**
 * Returns the problem if `componentId` embedded `embedded`, in a valid graph: it would embed itself, or a
 * chain would be longer than three.
 */
export function embeddingProblem(
  embeddings: Embeddings,
  componentId: string,
  embedded: readonly string[],
): 'cycle' | 'depth' | undefined {
  const next = new Map(embeddings).set(componentId, embedded);
  const below = reachable(embedded, (id) => next.get(id) ?? []);
  if (below.has(componentId)) return 'cycle';
  const embeddedIn = inverse(next);
  const chain =
    longestChain(componentId, (id) => next.get(id) ?? []) +
    longestChain(componentId, (id) => embeddedIn.get(id) ?? []) -
    1;
  return chain > COMPONENT_DEPTH_MAX ? 'depth' : undefined;
}

/** The component and all that embed it, directly or through others. */
export function embeddersOf(embeddings: Embeddings, componentId: string): Set<string> {
  const embeddedIn = inverse(embeddings);
  return reachable([componentId], (id) => embeddedIn.get(id) ?? []);
}

function reachable(start: readonly string[], next: (id: string) => readonly string[]): Set<string> {
  const seen = new Set<string>();
  const waiting = [...start];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    waiting.push(...next(id));
  }
  return seen;
}

/** Components on the longest path from `start`, itself included. The graph has no cycles here. */
function longestChain(start: string, next: (id: string) => readonly string[]): number {
  const known = new Map<string, number>();
  const measure = (id: string): number => {
    const length = known.get(id) ?? 1 + Math.max(0, ...next(id).map(measure));
    known.set(id, length);
    return length;
  };
  return measure(start);
}

function inverse(embeddings: Embeddings): Map<string, string[]> {
  const embeddedIn = new Map<string, string[]>();
  for (const [id, embedded] of embeddings) {
    for (const each of embedded) embeddedIn.set(each, [...(embeddedIn.get(each) ?? []), id]);
  }
  return embeddedIn;
}

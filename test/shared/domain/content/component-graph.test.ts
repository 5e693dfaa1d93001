import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  COMPONENT_DEPTH_MAX,
  embeddersOf,
  embeddingProblem,
} from '../../../../shared/domain/content/component-graph.ts';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', '__proto__'];
const edit = fc.record({
  id: fc.constantFrom(...IDS),
  embedded: fc.uniqueArray(fc.constantFrom(...IDS), { maxLength: 3 }),
});

/** Length of the longest walk from `id`, by trying all walks; more than `limit` when it does not end. */
function depthOf(graph: ReadonlyMap<string, readonly string[]>, id: string, limit: number): number {
  if (limit === 0) return 1;
  return 1 + Math.max(0, ...(graph.get(id) ?? []).map((next) => depthOf(graph, next, limit - 1)));
}

describe('the graph of components', () => {
  it('remains without cycles and within three levels after any edits, and rejects nothing else', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 30 }), (edits) => {
        let graph = new Map<string, readonly string[]>();
        for (const { id, embedded } of edits) {
          const next = new Map(graph).set(id, embedded);
          const isSound = IDS.every((each) => depthOf(next, each, IDS.length) <= COMPONENT_DEPTH_MAX);
          expect(embeddingProblem(graph, id, embedded) === undefined).toBe(isSound);
          if (isSound) graph = next;
        }
      }),
    );
  });

  it('names every component that embeds another', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 30 }), fc.constantFrom(...IDS), (edits, id) => {
        const graph = new Map(edits.map((each) => [each.id, each.embedded]));
        const shows = (from: string, seen: string[]): boolean =>
          from === id ||
          (graph.get(from) ?? []).some((next) => !seen.includes(next) && shows(next, [...seen, next]));
        expect([...embeddersOf(graph, id)].sort()).toEqual(IDS.filter((from) => shows(from, [])).sort());
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findTemplate,
  type ListedTemplate,
  modesWithoutDefault,
  nextVersion,
  withDefault,
  withoutTemplate,
} from '../../../../shared/domain/content/template-list.ts';
import { modesOf } from '../../../../shared/schemas/content/template.ts';

const CHANNELS = ['EMAIL', 'INAPP_WEB'] as const;
const step = fc.record({
  kind: fc.constantFrom('add', 'remove', 'select'),
  channel: fc.constantFrom(...CHANNELS),
  templateId: fc.constantFrom('a', 'b', 'c'),
  mode: fc.nat({ max: 4 }),
  atMs: fc.nat({ max: 50 }),
});

describe('the list of templates', () => {
  it('keeps one default for every mode of a channel with templates after any change', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let list: ListedTemplate[] = [];
        for (const { kind, channel, templateId, mode } of steps) {
          const found = findTemplate(list, channel, { templateId });
          if (kind === 'add' && !found) {
            list = [
              ...list,
              { channel, templateId, version: 1, defaultFor: modesWithoutDefault(list, channel) },
            ];
          }
          const modes = modesOf(channel);
          if (kind === 'remove' && found) list = withoutTemplate(list, found);
          if (kind === 'select' && found)
            list = withDefault(list, found, [modes[mode % modes.length] ?? 'instant']);
          for (const each of CHANNELS) {
            const own = list.filter((template) => template.channel === each);
            const defaults = own.flatMap((template) => template.defaultFor).sort();
            expect(defaults).toEqual(own.length > 0 ? [...modesOf(each)].sort() : []);
          }
        }
      }),
    );
  });

  it('never assigns a version twice, whatever the clock shows', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let list: ListedTemplate[] = [];
        let highest: number | undefined;
        for (const { kind, channel, templateId, atMs } of steps) {
          const found = findTemplate(list, channel, { templateId });
          if (kind === 'remove' && found) list = withoutTemplate(list, found);
          if (kind !== 'add' || found) continue;
          const version = nextVersion(list, highest, atMs);
          expect(version).toBeGreaterThan(highest ?? -1);
          expect(version).toBeGreaterThanOrEqual(atMs);
          highest = version;
          list = [...list, { channel, templateId, version, defaultFor: [] }];
        }
      }),
    );
  });
});

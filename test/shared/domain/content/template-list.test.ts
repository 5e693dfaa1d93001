import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findTemplate,
  firstVariant,
  isTooLong,
  type ListedTemplate,
  modesOfNew,
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
          const found = list.find((each) => each.channel === channel && each.templateId === templateId);
          expect(findTemplate(list, channel, { templateId })).toBe(found);
          if (kind === 'add' && !found) {
            list = [
              ...list,
              { channel, templateId, version: 1, defaultFor: modesWithoutDefault(list, channel) },
            ];
          }
          const modes = modesOf(channel);
          const names = list.filter((each) => each !== found).map((each) => [each.channel, each.templateId]);
          if (kind === 'remove' && found) {
            list = withoutTemplate(list, found);
            expect(list.map((each) => [each.channel, each.templateId])).toEqual(names);
          }
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
          const found = list.find((each) => each.channel === channel && each.templateId === templateId);
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

  it('finds a variant by its language, and the first of a template', () => {
    const [other, de, fr, plain] = [
      { channel: 'SMS' as const, templateId: 'a', version: 0, defaultFor: ['daily'] },
      { channel: 'EMAIL' as const, templateId: 'a', locale: 'de', version: 1, defaultFor: ['hourly'] },
      { channel: 'EMAIL' as const, templateId: 'a', locale: 'fr', version: 2, defaultFor: ['hourly'] },
      { channel: 'EMAIL' as const, templateId: 'a', version: 3, defaultFor: ['hourly'] },
    ];
    const list = [other, de, fr, plain];
    const found = ['fr', 'de', undefined, 'es'].map((locale) =>
      findTemplate(list, 'EMAIL', { templateId: 'a', locale }),
    );
    expect(found).toEqual([fr, de, plain, undefined]);
    expect(firstVariant(list, 'EMAIL', 'a')).toBe(plain);
    expect(firstVariant([other, de, fr], 'EMAIL', 'a')).toBe(de);
    expect(firstVariant(list, 'EMAIL', 'b')).toBeUndefined();
    expect(modesOfNew(list, 'EMAIL', 'a')).toEqual(['hourly']);
    expect(modesOfNew(list, 'EMAIL', 'b')).toEqual(modesOf('EMAIL').filter((mode) => mode !== 'hourly'));
  });

  it.each([
    [100, 1, 1, false],
    [101, 1, 1, true],
    [100, 5, 1, false],
    [100, 6, 1, true],
    [100, 1, 1500, true],
  ])(
    'of %d templates with %d variants, each mode %d characters long, is too long: %s',
    (count, variants, size, expected) => {
      const list = Array.from({ length: count * variants }, (_, index) => ({
        ...{ channel: index % 2 ? ('EMAIL' as const) : ('SMS' as const), templateId: `t${index % count}` },
        ...{ locale: 'de', version: 1, defaultFor: ['m'.repeat(size)] },
      }));
      expect(isTooLong(list)).toBe(expected);
    },
  );
});

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentHash, type DeduplicationContent } from '../../../../shared/domain/timing/deduplication.ts';
import { CHANNELS } from '../../../../shared/schemas/channel.ts';

const content = (overrides: Partial<DeduplicationContent> = {}): DeduplicationContent => ({
  environmentId: 'e1',
  notificationId: 'welcome',
  userId: 'ada',
  channels: ['EMAIL', 'SMS'],
  parameters: { name: 'Ada', order: { id: 7, lines: [1, 2] } },
  blocks: { email: { subject: 'Hello', html: '<p>Hi</p>' }, sms: { message: 'Hi' } },
  attachments: [{ filename: 'a.pdf', url: 'https://example.com/a.pdf' }],
  ...overrides,
});

/** Returns the request as it arrives over the wire, where -0 is 0. */
const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const json = fc.jsonValue({ maxDepth: 4 }).map(wire);
const parameters = fc.dictionary(fc.string({ maxLength: 4 }), json, { maxKeys: 5 });

/** The same value with the keys of every object in another order. */
function reorder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reorder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reorder(member)]),
  );
}

describe('the hash of a content', () => {
  test('equals the SHA-256 of a fixed text, in 43 characters of base64url', () => {
    const canonical = [
      '["e1","welcome","ada",["EMAIL","SMS"],{"name":"Ada","order":{"id":7,"lines":[1,2]}},{},',
      '{"email":{"html":"<p>Hi</p>","subject":"Hello"},"sms":{"message":"Hi"}},',
      '[{"filename":"a.pdf","url":"https://example.com/a.pdf"}]]',
    ].join('');
    expect(contentHash(content())).toBe(createHash('sha256').update(canonical).digest('base64url'));
    expect(contentHash(content())).toMatch(/^[\w-]{43}$/);
  });

  test('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(parameters, (drawn) => {
        const reordered = reorder(drawn) as Record<string, unknown>;
        expect(contentHash(content({ parameters: reordered }))).toBe(
          contentHash(content({ parameters: drawn })),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('does not depend on the order of channels, nor on repeated ones', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...CHANNELS]), (channels) => {
        const sorted = [...channels].sort();
        expect(contentHash(content({ channels: [...channels, ...channels] }))).toBe(
          contentHash(content({ channels: sorted })),
        );
      }),
    );
  });

  test('treats absent and empty parts as equal', () => {
    const bare = { parameters: undefined, blocks: undefined, attachments: undefined, replace: undefined };
    const empty = { parameters: {}, blocks: { email: undefined }, attachments: [], replace: {} };
    expect(contentHash(content(bare))).toBe(contentHash(content(empty)));
  });

  test('matches for equal parameters only', () => {
    const near = fc.oneof(
      fc.tuple(parameters, parameters),
      fc
        .tuple(parameters, fc.string({ maxLength: 2 }), json)
        .map(([drawn, key, value]) => [drawn, { ...drawn, [key]: value }] as const),
    );
    fc.assert(
      fc.property(near, ([one, other]) => {
        const same =
          contentHash(content({ parameters: one })) === contentHash(content({ parameters: other }));
        expect(same).toBe(isDeepStrictEqual(wire(one), wire(other)));
      }),
      { numRuns: 500 },
    );
  });

  test.each<[string, Partial<DeduplicationContent>]>([
    ['environment', { environmentId: 'e2' }],
    ['type', { notificationId: 'goodbye' }],
    ['user', { userId: 'bob' }],
    ['channels', { channels: ['EMAIL'] }],
    ['a nested parameter', { parameters: { name: 'Ada', order: { id: 8, lines: [1, 2] } } }],
    ['the order of a list', { parameters: { name: 'Ada', order: { id: 7, lines: [2, 1] } } }],
    ['the type of a parameter', { parameters: { name: 'Ada', order: { id: '7', lines: [1, 2] } } }],
    ['literal replacements', { replace: { name: 'Ada' } }],
    [
      'an inline block',
      { blocks: { email: { subject: 'Hello!', html: '<p>Hi</p>' }, sms: { message: 'Hi' } } },
    ],
    [
      'the channel of a block',
      { blocks: { email: { subject: 'Hello', html: '<p>Hi</p>' }, call: { message: 'Hi' } } },
    ],
    ['an attachment', { attachments: [{ filename: 'a.pdf', url: 'https://example.com/b.pdf' }] }],
    ['no attachment', { attachments: [] }],
  ])('differs by %s', (_, change) => {
    expect(contentHash(content(change))).not.toBe(contentHash(content()));
  });

  test('differs for values that look alike in JSON', () => {
    const hashes = [
      null,
      'null',
      0,
      '0',
      false,
      [],
      {},
      '',
      [null],
      Number.POSITIVE_INFINITY,
      '\ud800',
      '\ud801',
    ].map((value) => contentHash(content({ parameters: { value } })));
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('includes a parameter named like a property of every object', () => {
    const named = JSON.parse('{"__proto__": {"x": 1}}') as Record<string, unknown>;
    expect(contentHash(content({ parameters: named }))).not.toBe(contentHash(content({ parameters: {} })));
  });
});

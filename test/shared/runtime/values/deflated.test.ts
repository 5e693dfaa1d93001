import { randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { deflated, inflated } from '../../../../shared/runtime/values/deflated.ts';

const texts = {
  'no text': '',
  'a short text': '<p>Grüße, Ada 👋</p>',
  'a text of several chunks': randomBytes(50_000).toString('base64'),
};

describe.each(Object.entries(texts))('%s, deflated', (_, text) => {
  it('is inflated to itself', () => {
    expect(inflated(deflated(text))).toBe(text);
    expect(inflateRawSync(deflated(text)).toString('utf8')).toBe(text);
  });

  it('keeps no more memory than the pool of small buffers, or its own', () => {
    const { buffer, byteLength } = deflated(text);
    expect(buffer.byteLength).toBeLessThanOrEqual(Math.max(Buffer.poolSize, byteLength));
  });
});

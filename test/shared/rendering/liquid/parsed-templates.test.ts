import { describe, expect, it } from 'vitest';
import { openParsedTemplates } from '../../../../shared/rendering/liquid/parsed-templates.ts';

const parsed = () => ({ templates: [], componentIds: [] });

describe('parsed templates', () => {
  it('finds a template by its source', () => {
    const cache = openParsedTemplates(10_000);
    const template = parsed();
    cache.keep('{{ a }}', template, 1);
    expect(cache.find('{{ a }}')).toBe(template);
    expect(cache.find('{{ b }}')).toBeUndefined();
  });

  it('make room by dropping the least recently used one', () => {
    const cache = openParsedTemplates(8 * 2000);
    const source = (index: number) => `${index}`.padEnd(200, 'x');
    for (let index = 0; index < 8; index += 1) cache.keep(source(index), parsed(), 1);
    cache.find(source(0));
    cache.keep(source(8), parsed(), 1);
    expect(cache.find(source(0))).toBeDefined();
    expect(cache.find(source(1))).toBeUndefined();
    expect(cache.find(source(8))).toBeDefined();
  });

  it('stay out when they would replace most of the others', () => {
    const cache = openParsedTemplates(10_000);
    cache.keep('small', parsed(), 1);
    cache.keep('large', parsed(), 100);
    cache.keep('x'.repeat(2000), parsed(), 1);
    expect(cache.find('large')).toBeUndefined();
    expect(cache.find('x'.repeat(2000))).toBeUndefined();
    expect(cache.find('small')).toBeDefined();
  });

  it('never exceed their memory limit, in any order', () => {
    const cache = openParsedTemplates(20_000);
    const sources = Array.from({ length: 200 }, (_, index) => `{{ a${index} }}`);
    for (const source of sources) cache.keep(source, parsed(), 1);
    expect(sources.filter((source) => cache.find(source)).length * 1620).toBeLessThanOrEqual(20_000);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildReplyXml, buildSpeechXml, escapeXml } from '../../../../shared/channels/phone/speech.ts';

function unescapeXml(text: string): string {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name) => characters[name] ?? '');
}

describe('the speech script', () => {
  it('speaks the text in one Say element', () => {
    expect(buildSpeechXml('Hello')).toBe('<Response><Say>Hello</Say></Response>');
  });

  it('speaks markup instead of interpreting it', () => {
    expect(buildSpeechXml(`</Say><Dial>+1900</Dial> "R&D" 'x'`)).toBe(
      '<Response><Say>&lt;/Say&gt;&lt;Dial&gt;+1900&lt;/Dial&gt; &quot;R&amp;D&quot; &apos;x&apos;</Say></Response>',
    );
  });

  it('omits characters that XML does not allow', () => {
    expect(escapeXml('a\u0000b\u0008c\ud800d\uffffe\tf\ng\u{1f600}')).toBe('a b c d e\tf\ng\u{1f600}');
  });

  it('keeps every text that XML allows, and escapes markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const escaped = escapeXml(text);
        expect(escaped).not.toMatch(/[<>"']/);
        expect(escaped.replace(/&(lt|gt|quot|apos|amp);/g, '')).not.toContain('&');
        const unescaped = unescapeXml(escaped);
        expect([...unescaped]).toHaveLength([...text].length);
        for (const [index, character] of [...unescaped].entries()) {
          expect([character, ' ']).toContain([...unescaped][index]);
          if (character !== ' ') expect([...text][index]).toBe(character);
        }
      }),
    );
  });
});

describe('the response to an inbound message', () => {
  it('holds nothing, or one escaped message', () => {
    expect(buildReplyXml()).toBe('<Response/>');
    expect(buildReplyXml('a < b')).toBe('<Response><Message>a &lt; b</Message></Response>');
  });
});

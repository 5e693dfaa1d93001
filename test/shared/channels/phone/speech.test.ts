import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildReplyXml, buildSpeechXml, escapeXml } from '../../../../shared/channels/phone/speech/speech.ts';

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

  it.each([
    [{ language: 'fr' }, ' voice="Polly.Lea" language="fr-FR"'],
    [{ language: 'fr-CA', repeat: 2 }, ' voice="Polly.Chantal" language="fr-CA" loop="2"'],
    [{ language: 'de-AT' }, ' voice="Polly.Vicki" language="de-DE"'],
    [{ language: 'es-AR' }, ' voice="Polly.Mia" language="es-MX"'],
    [{ language: 'pt-AO' }, ' voice="Polly.Ines" language="pt-PT"'],
    [{ language: 'zh-Hans' }, ' voice="Polly.Zhiyu" language="cmn-CN"'],
    [{ language: 'ar' }, ' voice="Polly.Zeina" language="arb"'],
    [{ language: 'fi' }, ' language="fi-FI"'],
    [{ language: 'fr', voice: 'Mathieu' }, ' voice="Polly.Mathieu" language="fr-FR"'],
    [
      { language: 'fr', voice: 'Google.fr-FR-Standard-A' },
      ' voice="Google.fr-FR-Standard-A" language="fr-FR"',
    ],
    [{ voice: 'woman' }, ' voice="woman"'],
    [{ repeat: 3 }, ' loop="3"'],
  ])('of %o names%s', (speech, attributes) => {
    expect(buildSpeechXml('A', speech)).toBe(`<Response><Say${attributes}>A</Say></Response>`);
  });

  it.each([
    [3900, ' voice="Polly.Lea" language="fr-FR" loop="3"'],
    [3930, ' voice="Polly.Lea" language="fr-FR"'],
    [3940, ' language="fr-FR"'],
    [3967, ''],
  ])('keeps the language of %i characters longest, within what Twilio accepts', (length, attributes) => {
    const script = buildSpeechXml('x'.repeat(length), { language: 'fr', repeat: 3 });
    expect(script.slice(0, script.indexOf('>x'))).toBe(`<Response><Say${attributes}`);
    expect(script.length).toBeLessThanOrEqual(4000);
  });

  it('takes SSML as it is, without speak, with a voice that reads it', () => {
    const text =
      '<speak>Code <break time="1s"/><say-as interpret-as="digits">12</say-as> &amp; &#34;</speak>';
    const inner = text.slice('<speak>'.length, -'</speak>'.length);
    expect(buildSpeechXml(text)).toBe(
      `<Response><Say voice="Polly.Joanna" language="en-US">${inner}</Say></Response>`,
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

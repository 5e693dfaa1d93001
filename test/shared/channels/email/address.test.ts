import fc from 'fast-check';
import addressparser from 'nodemailer/lib/addressparser';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { domainOf, formatAddress, toAsciiAddress } from '../../../../shared/channels/email/address.ts';
import { buildMessageId, messageKeyOf } from '../../../../shared/channels/email/message-id.ts';
import { anyCharacter } from '../../../support/any-character.ts';

async function readFrom(value: string) {
  const { from } = await PostalMime.parse(`From: ${value}\r\n\r\n`);
  return from;
}

describe('formatAddress', () => {
  it('returns the bare address without a name', () => {
    expect(formatAddress({ address: 'a@sender.example' })).toBe('a@sender.example');
    expect(formatAddress({ address: 'a@sender.example', name: '  ' })).toBe('a@sender.example');
  });

  it('quotes a plain name', () => {
    expect(formatAddress({ address: 'a@sender.example', name: 'Shop "No. 1", Inc.' })).toBe(
      '"Shop \\"No. 1\\", Inc." <a@sender.example>',
    );
  });

  it('keeps a line break in a name from starting another header', () => {
    expect(formatAddress({ address: 'a@sender.example', name: 'Shop\r\nBcc: eve@evil.example' })).toBe(
      '"Shop Bcc: eve@evil.example" <a@sender.example>',
    );
  });

  it('writes the domain in ASCII', () => {
    expect(toAsciiAddress('info@Bücher.example')).toBe('info@xn--bcher-kva.example');
    expect(domainOf('info@BÜCHER.example')).toBe('xn--bcher-kva.example');
  });

  it('reads back as the same name in an email parser, in words of at most 75 ASCII characters', async () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((text) => /^\S(.*\S)?$/su.test(text) && !/[\p{Cc}\p{Cs}]|\s{2}/u.test(text));
    await fc.assert(
      fc.asyncProperty(name, async (text) => {
        const value = formatAddress({ address: 'a@sender.example', name: text });
        expect(value).toMatch(/^[\x20-\x7e]+$/);
        const words = value.split(' ').filter((word) => word.startsWith('=?UTF-8?B?'));
        expect(words.every((word) => word.length <= 75)).toBe(true);
        expect(await readFrom(value)).toMatchObject({ address: 'a@sender.example', name: text });
      }),
      { numRuns: 200 },
    );
  });

  it('yields one mailbox for an address parser, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), (name) => {
        const parsed = addressparser(formatAddress({ address: 'a@sender.example', name }), { flatten: true });
        expect(parsed.map(({ address }) => address)).toEqual(['a@sender.example']);
      }),
    );
  });
});

describe('message IDs', () => {
  it('lead from a reply back to the tracking ID, with or without brackets', () => {
    const messageId = buildMessageId('019ac0de-7000', 'shop@Sender.example');
    expect(messageId).toBe('<019ac0de-7000@sender.example>');
    expect(messageKeyOf(messageId)).toBe('019ac0de-7000');
    expect(messageKeyOf('019ac0de-7000@sender.example')).toBe('019ac0de-7000');
  });

  it('lead from the Message-ID that SES writes to its message ID', () => {
    expect(messageKeyOf(' <0100018b-x-000000@eu-west-1.amazonses.com> ')).toBe('0100018b-x-000000');
    expect(messageKeyOf('0100018b-x-000000')).toBe('0100018b-x-000000');
  });
});

import { describe, expect, it } from 'vitest';
import { findSender, isVerifiedSender } from '../../../../shared/channels/email/sender.ts';

const options = { fromAddress: 'options@a.example', fromName: 'Options' };
const content = { senderEmail: 'content@a.example', senderName: 'Content' };
const template = { senderEmail: 'template@a.example', senderName: 'Template' };
const account = { address: 'account@a.example', name: 'Account' };

describe('findSender', () => {
  it.each([
    [
      { options, content, template, account },
      { address: 'options@a.example', name: 'Options' },
    ],
    [
      { content, template, account },
      { address: 'content@a.example', name: 'Content' },
    ],
    [
      { template, account },
      { address: 'template@a.example', name: 'Template' },
    ],
    [{ account }, { address: 'account@a.example', name: 'Account' }],
  ])('uses the first sender among options, inline content, template and account', (sources, expected) => {
    expect(findSender(sources)).toEqual(expected);
  });

  it('changes only the name when the request has only a name', () => {
    expect(findSender({ options: { fromName: 'Support' }, template })).toEqual({
      address: 'template@a.example',
      name: 'Support',
    });
  });

  it('treats empty text as missing', () => {
    expect(findSender({ options: { fromAddress: ' ', fromName: '' }, account })).toEqual(account);
  });

  it('returns no name when no source has one', () => {
    expect(findSender({ account: { address: 'account@a.example' } })).toEqual({
      address: 'account@a.example',
    });
  });

  it('returns nothing without an address', () => {
    expect(findSender({ options: { fromName: 'Support' } })).toBeUndefined();
  });
});

describe('isVerifiedSender', () => {
  const domains = [
    { sender: 'shop.example', status: 'SUCCESS' },
    { sender: 'new.example', status: 'PENDING' },
    { sender: 'bücher.example', status: 'SUCCESS' },
  ];

  it.each([
    'a@shop.example',
    'a@SHOP.Example',
    'a@mail.shop.example',
    'a@x.y.shop.example',
    'a@xn--bcher-kva.example',
  ])('accepts %s', (address) => {
    expect(isVerifiedSender(address, domains)).toBe(true);
  });

  it.each([
    'a@evilshop.example',
    'a@shop.example.evil.example',
    'a@example',
    'a@new.example',
    'shop.example',
    'a@',
    '',
    'shop.example@evil.example',
  ])('rejects %s', (address) => {
    expect(isVerifiedSender(address, domains)).toBe(false);
  });

  it.each(['PENDING', 'FAILED', 'TEMPORARY_FAILURE', 'NOT_STARTED'])('rejects a %s domain', (status) => {
    expect(isVerifiedSender('a@shop.example', [{ sender: 'shop.example', status }])).toBe(false);
  });
});

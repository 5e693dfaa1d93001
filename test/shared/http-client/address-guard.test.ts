import { BlockList, connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AddressRefused,
  checkUrl,
  guardedLookup,
  isPublicAddress,
  parseAllowedHosts,
} from '../../../shared/http-client/address-guard.ts';
import type { Resolve } from '../../../shared/http-client/name-servers.ts';
import { resolveTo, toAnswers } from './servers.ts';
import {
  type AddressRange,
  formatIpv4,
  formatIpv6,
  IPV4_RANGES,
  IPV6_RANGES,
  isPublicIpv4,
  isPublicIpv6,
} from './special-ranges.ts';

const PUBLIC = '93.184.215.14';
const NONE = parseAllowedHosts('');

type Looked = { error: Error | null; answers: unknown; family: number | undefined };

function look(resolve: Resolve, options: { all?: boolean; allowed?: boolean } = {}): Promise<Looked> {
  const lookup = guardedLookup(options.allowed ?? false, resolve);
  return new Promise((done) => {
    lookup('customer.example', { all: options.all ?? true }, (error, answers, family) =>
      done({ error, answers, family }),
    );
  });
}

function anywhereOrAtAnEdge(ranges: AddressRange[], bits: number): fc.Arbitrary<bigint> {
  const max = (1n << BigInt(bits)) - 1n;
  const edges = ranges.flatMap(({ first, last }) => [first - 1n, first, last, last + 1n]);
  return fc.oneof(
    fc.bigInt({ min: 0n, max }),
    fc.constantFrom(...edges.filter((edge) => edge >= 0n && edge <= max)),
    fc.constantFrom(...ranges).chain(({ first, last }) => fc.bigInt({ min: first, max: last })),
  );
}

describe('a public address', () => {
  it('includes IPv4 addresses outside every special range', () => {
    fc.assert(
      fc.property(anywhereOrAtAnEdge(IPV4_RANGES, 32), (value) => {
        expect(isPublicAddress(formatIpv4(value))).toBe(isPublicIpv4(value));
      }),
      { numRuns: 500 },
    );
  });

  it('includes IPv6 addresses of 2000::/3 outside every special range, and mapped public IPv4 addresses', () => {
    const anyMapped = anywhereOrAtAnEdge(IPV4_RANGES, 32).map((value) => (0xffffn << 32n) + value);
    fc.assert(
      fc.property(fc.oneof(anywhereOrAtAnEdge(IPV6_RANGES, 128), anyMapped), (value) => {
        const address = formatIpv6(value);
        expect(isPublicAddress(address)).toBe(isPublicIpv6(value));
        expect(checkUrl(`https://[${address}]/`, NONE).ok).toBe(isPublicIpv6(value));
      }),
      { numRuns: 500 },
    );
  });

  it('counts the same in every spelling of a URL', () => {
    const spellings = [
      (value: bigint) => String(value),
      (value: bigint) => `0x${value.toString(16)}`,
      (value: bigint) => `0${value.toString(8)}`,
      (value: bigint) => `${value >> 24n}.${value & 0xffffffn}`,
      (value: bigint) =>
        `0x${(value >> 24n).toString(16)}.0${((value >> 16n) & 0xffn).toString(8)}.${value & 0xffffn}`,
      (value: bigint) => `${formatIpv4(value)}.`,
      (value: bigint) => `[::ffff:${formatIpv4(value)}]`,
    ];
    fc.assert(
      fc.property(anywhereOrAtAnEdge(IPV4_RANGES, 32), fc.constantFrom(...spellings), (value, spell) => {
        expect(checkUrl(`https://${spell(value)}/`, NONE).ok).toBe(isPublicIpv4(value));
      }),
      { numRuns: 500 },
    );
  });

  it('must not be an IPv4 address embedded in a NAT64, 6to4, Teredo, compatible or translated address', () => {
    const prefixes = [0x64ff9bn << 96n, 0x20010000n << 96n, 0n, 0xffffn << 48n];
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 0xffffffffn }), (ipv4) => {
        for (const prefix of prefixes) expect(isPublicAddress(formatIpv6(prefix + ipv4))).toBe(false);
        expect(isPublicAddress(formatIpv6((0x2002n << 112n) + (ipv4 << 80n)))).toBe(false);
      }),
    );
  });

  it.each(['fe80::1%eth0', '2606:4700::1%eth0', 'localhost', '', '010.8.8.8', '8.8.8', '8.8.8.8 '])(
    'must not be text of another form: "%s"',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );
});

describe('the guarded lookup', () => {
  it('returns all checked addresses, or the first one, as the socket asks', async () => {
    const addresses = [PUBLIC, '2606:4700::6810:85e5'];
    const { resolve } = resolveTo(addresses);
    expect(await look(resolve)).toEqual({ error: null, answers: toAnswers(addresses), family: undefined });
    expect(await look(resolve, { all: false })).toEqual({ error: null, answers: PUBLIC, family: 4 });
  });

  it.each([
    [['127.0.0.1']],
    [['10.1.2.3']],
    [['169.254.169.254']],
    [['100.64.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['64:ff9b::a9fe:a9fe']],
    [['2002:7f00:1::']],
    [['fd00:ec2::254']],
    [['fe80::1%eth0']],
    [['ff02::1']],
    [['0.0.0.0']],
    [[PUBLIC, '127.0.0.1']],
    [['127.0.0.1', PUBLIC]],
    [[PUBLIC, '2606:4700::1', 'fd00:ec2::254', PUBLIC]],
    [['not an address']],
  ])('rejects a name when any of its addresses is not public: %s', async (addresses) => {
    for (const all of [true, false]) {
      const looked = await look(resolveTo(addresses).resolve, { all });
      expect(looked.error).toBeInstanceOf(AddressRefused);
      expect(looked.answers).toEqual([]);
    }
  });

  it('checks a resolver that returns one address as text', async () => {
    const answering =
      (address: string): Resolve =>
      (_name, _options, callback) =>
        callback(null, address, 4);
    expect(await look(answering(PUBLIC))).toMatchObject({ error: null, answers: toAnswers([PUBLIC]) });
    expect((await look(answering('127.0.0.1'))).error).toBeInstanceOf(AddressRefused);
  });

  it('returns every address of an allowed host', async () => {
    const { resolve } = resolveTo(['127.0.0.1', '::1']);
    expect(await look(resolve, { allowed: true })).toMatchObject({
      answers: toAnswers(['127.0.0.1', '::1']),
    });
    expect(await look(resolve, { allowed: true, all: false })).toMatchObject({
      answers: '127.0.0.1',
      family: 4,
    });
  });

  it('fails when the lookup fails, and reports a name without addresses as not found', async () => {
    const failure = Object.assign(new Error('no'), { code: 'EAI_AGAIN' });
    expect((await look((_name, _options, callback) => callback(failure, []))).error).toBe(failure);
    expect((await look(resolveTo([]).resolve)).error).toMatchObject({ code: 'ENOTFOUND' });
  });

  // The block list makes the socket fail with the address it would have connected to, before any packet leaves.
  it.each([true, false])(
    'makes the socket connect to the address it checked (all addresses: %s)',
    async (all) => {
      const { resolve, names } = resolveTo([PUBLIC], ['127.0.0.1']);
      const blockList = new BlockList();
      blockList.addAddress(PUBLIC);
      const error = await new Promise<Error>((failed) => {
        const lookup = guardedLookup(false, resolve);
        connect({ host: 'rebind.example', port: 4443, lookup, blockList, autoSelectFamily: all }).on(
          'error',
          failed,
        );
      });
      expect(error).toMatchObject({ code: 'ERR_IP_BLOCKED', message: expect.stringContaining(PUBLIC) });
      expect(names).toEqual(['rebind.example']);
    },
  );
});

it('allows every port of a host with an asterisk, and no other host', () => {
  const hosts = parseAllowedHosts('localhost:*,[::1]:*');
  for (const url of ['http://localhost:4110/hook', 'https://localhost/hook', 'http://[::1]:9/'])
    expect(checkUrl(url, hosts)).toMatchObject({ ok: true, allowed: true });
  for (const url of ['http://localhost.evil.example:4110/', 'http://127.0.0.1:4110/', 'ftp://localhost:21/'])
    expect(checkUrl(url, hosts).ok).toBe(false);
  expect(() => parseAllowedHosts('localhost')).toThrow();
});

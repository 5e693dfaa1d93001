// From the IANA IPv4 and IPv6 Special-Purpose Address Registries, plus multicast and IPv4's former class E.
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
const SPECIAL_GLOBAL_IPV6: [string, number][] = [
  ['20010000000000000000000000000000', 23],
  ['20010db8000000000000000000000000', 32],
  ['20020000000000000000000000000000', 16],
  ['2620004f800000000000000000000000', 48],
  ['3fff0000000000000000000000000000', 20],
];
const OTHER_IPV6: [string, number][] = [
  ['00000000000000000000000000000000', 96],
  ['00000000000000000000ffff00000000', 96],
  ['0000000000000000ffff000000000000', 96],
  ['0064ff9b000000000000000000000000', 96],
  ['0064ff9b000100000000000000000000', 48],
  ['01000000000000000000000000000000', 64],
  ['20000000000000000000000000000000', 3],
  ['5f000000000000000000000000000000', 16],
  ['fc000000000000000000000000000000', 7],
  ['fe800000000000000000000000000000', 10],
  ['fec00000000000000000000000000000', 10],
  ['ff000000000000000000000000000000', 8],
];

export type AddressRange = { first: bigint; last: bigint };

function toRange(first: bigint, prefix: number, bits: number): AddressRange {
  return { first, last: first + (1n << BigInt(bits - prefix)) - 1n };
}

function fromDotted(dotted: string): bigint {
  return dotted.split('.').reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
}

export const IPV4_RANGES: AddressRange[] = SPECIAL_IPV4.map((cidr) => {
  const [first = '', prefix] = cidr.split('/');
  return toRange(fromDotted(first), Number(prefix), 32);
});
const GLOBAL_RANGES = SPECIAL_GLOBAL_IPV6.map(([hex, prefix]) => toRange(BigInt(`0x${hex}`), prefix, 128));
export const IPV6_RANGES: AddressRange[] = [
  ...GLOBAL_RANGES,
  ...OTHER_IPV6.map(([hex, prefix]) => toRange(BigInt(`0x${hex}`), prefix, 128)),
];

const isIn = (value: bigint) => (range: AddressRange) => value >= range.first && value <= range.last;
const MAPPED = 0xffffn << 32n;

/** Returns true if an IPv4 address, as a number, is public. */
export function isPublicIpv4(value: bigint): boolean {
  return !IPV4_RANGES.some(isIn(value));
}

/** Returns true if an IPv6 address, as a number, is public; an IPv4-mapped one counts as its IPv4 address. */
export function isPublicIpv6(value: bigint): boolean {
  if (value >> 32n === MAPPED >> 32n) return isPublicIpv4(value & 0xffffffffn);
  return value >> 125n === 1n && !GLOBAL_RANGES.some(isIn(value));
}

export function formatIpv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
}

/** All eight groups, without leading zeros or `::`. */
export function formatIpv6(value: bigint): string {
  const hex = value.toString(16).padStart(32, '0');
  return (hex.match(/.{4}/g) ?? []).map((group) => group.replace(/^0{1,3}/, '')).join(':');
}

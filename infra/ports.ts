/** The port blocking of the Fetch Standard: https://fetch.spec.whatwg.org/#port-blocking */
const BLOCKED: ReadonlySet<number> = new Set([
  ...[
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  ],
  ...[
    109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  ],
  ...[526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049],
  ...[3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080],
]);

/** Parses a port that browsers and Node.js fetch; 0 is any free one. Throws one line that starts with `name`. */
export function parseHttpPort(name: string, text: string): number {
  const port = parsePort(name, text);
  if (BLOCKED.has(port)) throw new Error(`${name} must be another port: ${blockedBecause(port)}`);
  return port;
}

/** Parses a port of any protocol. Throws one line that starts with `name`. */
export function parsePort(name: string, text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Error(`${name} must be a number from 0 to 65535`);
}

/** Throws one line that starts with `name` if no fetch connects to the port of this URL. */
export function assertFetched(name: string, url: string): void {
  const port = URL.canParse(url) ? Number(new URL(url).port) : 0;
  if (BLOCKED.has(port)) throw new Error(`${name} must have another port: ${blockedBecause(port)}`);
}

function blockedBecause(port: number): string {
  return `browsers and Node.js never connect to port ${port}, which is reserved for another protocol`;
}

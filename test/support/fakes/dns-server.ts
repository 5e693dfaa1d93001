import { createSocket } from 'node:dgram';

/** Records that the server returns; a host in neither map does not exist. */
type DnsZone = { txt: Map<string, string[]>; mx: Map<string, string[]> };

/** A DNS server on UDP (RFC 1035), for TXT and MX. */
export type FakeDns = { address: string; zone: DnsZone; fail(code: number): void; close(): Promise<void> };

const TYPE = { MX: 15, TXT: 16 } as const;
const NAME_ERROR = 3;

/** Starts the server on this machine. */
export async function startFakeDns(): Promise<FakeDns> {
  const zone: DnsZone = { txt: new Map(), mx: new Map() };
  let failure = 0;
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    socket.send(failure ? response(query, failure, []) : responseOf(query, zone), peer.port, peer.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    zone,
    fail: (code) => {
      failure = code;
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function responseOf(query: Buffer, zone: DnsZone): Buffer {
  const { name, end } = readName(query);
  const type = query.readUInt16BE(end);
  const texts = zone.txt.get(name);
  const targets = zone.mx.get(name);
  if (!texts && !targets) return response(query, NAME_ERROR, []);
  if (type === TYPE.TXT) return response(query, 0, (texts ?? []).map(textData));
  if (type === TYPE.MX) return response(query, 0, (targets ?? []).map(mxData));
  return response(query, 0, []);
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** A long text goes in strings of at most 255 bytes, as a zone file has to split it. */
function textData(text: string): Buffer {
  const strings = text.match(/.{1,255}/gs) ?? [''];
  return Buffer.concat(strings.map((each) => Buffer.concat([Buffer.from([each.length]), Buffer.from(each)])));
}

/** `mail.example.com`, or with another priority than 10: `5 mail.example.com`; `0 .` is the empty host. */
function mxData(text: string): Buffer {
  const [target = '', priority = '10'] = text.split(' ').reverse();
  const labels = target
    .split('.')
    .filter((each) => each !== '')
    .map((each) => Buffer.concat([Buffer.from([each.length]), Buffer.from(each)]));
  return Buffer.concat([Buffer.from([0, Number(priority)]), ...labels, Buffer.from([0])]);
}

function response(query: Buffer, code: number, data: Buffer[]): Buffer {
  const { end } = readName(query);
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 6);
  head.writeUInt32BE(0, 8);
  const question = query.subarray(12, end + 4);
  const records = data.map((each) => {
    const fields = Buffer.alloc(12);
    fields.writeUInt16BE(0xc00c, 0);
    question.copy(fields, 2, question.length - 4);
    fields.writeUInt32BE(0, 6);
    fields.writeUInt16BE(each.length, 10);
    return Buffer.concat([fields, each]);
  });
  return Buffer.concat([head, question, ...records]);
}

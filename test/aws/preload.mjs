// Loaded first by every function, and by the commands that deploy them.

import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { urlToHttpOptions } from 'node:url';

const { AWS_ENDPOINT_URL = '', CLOCK_OFFSET = '' } = process.env;
const isAws = (host) => host.endsWith('.amazonaws.com');

// Hosts of AWS are the emulator: tokens are verified with keys that are fetched, not read with an SDK.
const { fetch, WebSocket } = globalThis;
/** An API of API Gateway has an address by its ID, for programs that cannot set a Host header. */
const inEmulator = ({ hostname, pathname, search }) => {
  const [, api] = /^(\w+)\.execute-api\./.exec(hostname) ?? [];
  return new URL(`${api ? `/_aws/execute-api/${api}` : ''}${pathname}${search}`, AWS_ENDPOINT_URL);
};
globalThis.fetch = (input, init) => {
  const url = new URL(typeof input === 'object' && 'url' in input ? input.url : input);
  return isAws(url.hostname) ? fetch(inEmulator(url), init) : fetch(input, init);
};
globalThis.WebSocket = class extends WebSocket {
  constructor(input, ...rest) {
    const url = new URL(input);
    super(isAws(url.hostname) ? String(inEmulator(url)).replace('http', 'ws') : input, ...rest);
  }
};
for (const module of [dns, dns.promises]) {
  const { lookup } = module;
  module.lookup = (host, ...rest) => lookup(isAws(host) ? '127.0.0.1' : host, ...rest);
}

// The emulator sends every https request of this machine as http. Hosts of AWS are the emulator, all others are as they are.
const { request } = https;
const toEmulator = (input, options, callback) => {
  const given = typeof input === 'string' || input instanceof URL ? urlToHttpOptions(new URL(input)) : input;
  const settings = { ...given, ...(typeof options === 'function' ? {} : options) };
  const host = settings.hostname ?? settings.host ?? '';
  if (!isAws(host)) return request(input, options, callback);
  const { hostname, port } = new URL(AWS_ENDPOINT_URL);
  const { agent: _, protocol: __, host: ___, ...rest } = settings;
  const headers = { host, ...settings.headers };
  return http.request(
    { ...rest, headers, hostname, port },
    typeof options === 'function' ? options : callback,
  );
};
Object.defineProperty(https, 'request', { value: toEmulator, writable: false });
syncBuiltinESMExports();

// The functions' clock is ahead by the seconds in a file, so that what is due in hours falls due in the run.
const { now } = Date;
let offsetMs = 0;
let readAtMs = 0;
const offset = () => {
  if (CLOCK_OFFSET && now() - readAtMs > 200) {
    readAtMs = now();
    try {
      offsetMs = Number(readFileSync(CLOCK_OFFSET, 'utf8')) * 1000;
    } catch {}
  }
  return offsetMs;
};
const RealDate = Date;
globalThis.Date = class MovedDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now() + offset());
    else super(...args);
  }
  static now() {
    return now() + offset();
  }
};

import { describe, expect, it } from 'vitest';
import { readStartOptions } from '../../infra/local/start/start-options.ts';
import { assertFetched, parseHttpPort, parsePort } from '../../infra/ports.ts';

/** The ports that Node.js's own fetch never connects to; all are below 11,000. */
async function blockedPorts(): Promise<number[]> {
  const dispatcher = {
    dispatch() {
      throw new Error('would connect');
    },
  };
  const ports: number[] = [];
  for (let port = 1; port < 11_000; port += 1) {
    const init = { dispatcher } as unknown as RequestInit;
    const { cause } = await fetch(`http://127.0.0.1:${port}`, init).then(
      () => new Error('responded'),
      (error: Error) => error,
    );
    if ((cause as Error).message === 'bad port') ports.push(port);
    else expect((cause as Error).message).toBe('would connect');
  }
  return ports;
}

const isRejected = (parse: () => unknown) => {
  try {
    parse();
    return false;
  } catch (error) {
    return /^--\S+ must .*never connect to port \d+/.test((error as Error).message);
  }
};

describe('a port for HTTP', () => {
  it('is rejected with the reason exactly if fetch blocks it', async () => {
    const blocked = await blockedPorts();
    expect(blocked.length).toBeGreaterThan(50);
    const all = Array.from({ length: 65_536 }, (_, port) => port);
    expect(all.filter((port) => isRejected(() => parseHttpPort('--port', String(port))))).toEqual(blocked);
    expect(
      all.filter((port) => isRejected(() => assertFetched('--url', `http://localhost:${port}/a`))),
    ).toEqual(blocked);
  });

  it.each(['', '-1', '1.5', '65536', 'http', '0x50'])('is a number from 0 to 65535, not %j', (text) => {
    for (const parse of [parseHttpPort, parsePort])
      expect(() => parse('--port', text)).toThrow('--port must be a number from 0 to 65535');
  });
});

describe('npm start', () => {
  it.each([
    ['--port', '--port'],
    ['--table-port', '--table-port'],
  ])('rejects a blocked port in %s before anything starts', (option, name) => {
    expect(() => readStartOptions([option, '4190'])).toThrow(
      `${name} must be another port: browsers and Node.js never connect to port 4190, which is reserved for another protocol`,
    );
  });

  it('receives email on any port', () => {
    expect(readStartOptions(['--smtp-port', '25'])).toMatchObject({ smtpPort: 25 });
  });

  it('rejects a blocked port in PORT', () => {
    const before = process.env.PORT;
    process.env.PORT = '6666';
    try {
      expect(() => readStartOptions([])).toThrow('PORT must be another port');
    } finally {
      if (before === undefined) delete process.env.PORT;
      else process.env.PORT = before;
    }
  });
});

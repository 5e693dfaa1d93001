import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { WebSocket } from 'ws';
import { until } from '../crash/service.ts';

/** A page in a headless Chromium. */
export type Page = {
  /** The value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
};

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const Pages = v.array(v.object({ url: v.string(), webSocketDebuggerUrl: v.string() }));
const READY_MS_MAX = 30_000;

/** The command of a Chromium on this machine; undefined when there is none. */
export function findChromium(): string | undefined {
  return NAMES.find((name) => {
    try {
      execFileSync('which', [name], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

/** Opens a page in a browser of its own. */
export async function openPage(command: string, url: string): Promise<Page> {
  const profile = mkdtempSync(join(tmpdir(), 'chromium-'));
  const options = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0'];
  const browser = spawn(command, [...options, `--user-data-dir=${profile}`, url], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(browser, 'close');
  const socket = new WebSocket(await pageSocketOf(browser, url));
  await once(socket, 'open');
  let count = 0;
  return {
    async evaluate(expression) {
      count += 1;
      const id = count;
      const answered = new Promise<{ result: { result: { value?: unknown } } }>((answer) => {
        const listen = (data: Buffer) => {
          const message = JSON.parse(data.toString());
          if (message.id !== id) return;
          socket.off('message', listen);
          answer(message);
        };
        socket.on('message', listen);
      });
      const params = { expression, awaitPromise: true, returnByValue: true };
      socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }));
      return (await answered).result.result.value;
    },
    async close() {
      socket.terminate();
      browser.kill('SIGKILL');
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Where the page's DevTools protocol is spoken. */
async function pageSocketOf(browser: ChildProcess, url: string): Promise<string> {
  let told = '';
  browser.stderr?.on('data', (chunk) => (told += chunk));
  const portOf = () => /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(told)?.[1];
  await until(() => portOf() !== undefined || browser.exitCode !== null, READY_MS_MAX, 'Chromium');
  let found: string | undefined;
  const isOpen = async () => {
    const answer = await fetch(`http://127.0.0.1:${portOf()}/json`);
    const pages = v.parse(Pages, await answer.json());
    found = pages.find((page) => page.url === url)?.webSocketDebuggerUrl;
    return found !== undefined;
  };
  await until(isOpen, READY_MS_MAX, 'the page');
  return found ?? '';
}

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { HANG_MS } from './until.ts';

const DEBIAN_CHROMIUM = '/usr/bin/chromium';
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];

export const NO_BROWSER =
  'No Chromium runs on this machine: apt-get install chromium, or set CHROMIUM_PATH to one.';

/** Packages that `npm run test:all` installs. */
const packages = createRequire(new URL('../compatibility/package.json', import.meta.url));

/** Unpacks Chromium from npm. A second process that asks while the first unpacks gets a file that does not run yet. */
export async function unpackBrowser(): Promise<string> {
  const { default: chromium }: { default: { executablePath(): Promise<string> } } = await import(
    pathToFileURL(packages.resolve('@sparticuz/chromium')).href
  );
  return chromium.executablePath();
}

/** Starts the Chromium of CHROMIUM_PATH, then the machine's, then npm's. Undefined when none runs here. */
export async function findBrowser(): Promise<Browser | undefined> {
  const { CHROMIUM_PATH } = process.env;
  const own = [async () => DEBIAN_CHROMIUM, unpackBrowser];
  for (const path of CHROMIUM_PATH === undefined ? own : [async () => CHROMIUM_PATH]) {
    try {
      return await chromium.launch({ executablePath: await path(), args: ARGS, timeout: HANG_MS });
    } catch {}
  }
  return undefined;
}

/** Serves files from memory: a page on this machine may call the local run, one of a public address may not. */
export async function servePages(pages: Record<string, string>) {
  const server = createServer(({ url = '/' }, response) => {
    const found = pages[url];
    const type = /\.js(?:\?|$)/.test(url) ? 'text/javascript' : 'text/html; charset=utf-8';
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': type }).end(found);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${port}`, close };
}

/** Rules of axe-core whose answer depends on the colours. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Returns what axe-core finds wrong in the page, shadow roots included; only by `rules` where they are given. */
export async function accessibilityProblems(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (await page.evaluate('!globalThis.axe'))
    await page.evaluate(readFileSync(packages.resolve('axe-core/axe.min.js'), 'utf8'));
  // What still fades in has too little contrast.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const found: { id: string; nodes: { failureSummary?: string; html: string }[] }[] = await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}

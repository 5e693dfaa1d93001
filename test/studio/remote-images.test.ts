import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { hasRemoteImages, withoutImages } from '../../studio/src/parts/remote-images.ts';

/** Its types are those of a browser. */
const EMAIL_CHECKS = join(import.meta.dirname, '../../studio/src/state/email-checks.ts');

it.each([
  ['<img src="https://a.example/x.png">', true],
  ["<IMG alt='>' SRC = 'http://a.example/x.png'>", true],
  ['<img src=https://a.example/x.png>', true],
  ['<img src="//a.example/x.png">', true],
  ['<td background="https://a.example/x.png">', true],
  ['<p style="background:url( \'https://a.example/x.png\')">', true],
  ['<a href="https://a.example">Link</a>', false],
  ['<img src="data:image/png;base64,AA">', false],
  ['<img src="cid:logo">', false],
  ['<p>src https://a.example</p>', false],
])('finds remote images in %s: %s', (html, expected) => {
  expect(hasRemoteImages(html)).toBe(expected);
});

/** Of this process: others may keep the machine busy. */
const millisecondsOf = (run: () => unknown) => {
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before).user / 1000;
};

it.each([':', ' background:', ' background-image', 'display:', ':1.1', 'var('])(
  'reads a style of many %j in linear time',
  async (part) => {
    const styleOf = (textContent: string) => ({
      querySelector: () => null,
      querySelectorAll: (selector: string) => (selector === 'style' ? [{ textContent }] : []),
    });
    vi.stubGlobal(
      'DOMParser',
      class {
        parseFromString = styleOf;
      },
    );
    onTestFinished(() => void vi.unstubAllGlobals());
    const { checkHtml } = await import(EMAIL_CHECKS);
    expect(checkHtml(`p { margin: 0 .5rem }`)).toMatchObject([{ name: 'rem' }]);
    expect(millisecondsOf(() => checkHtml(part.repeat(100_000 / part.length)))).toBeLessThan(3000);
  },
);

it.each(['<img ', '<a ', 'url( ', 'src= ', '<a <img src', 'src="'])(
  'takes linear time for many %j',
  (part) => {
    const timeOf = (count: number) =>
      millisecondsOf(() => [hasRemoteImages(part.repeat(count)), withoutImages(part.repeat(count))]);
    timeOf(1000);
    expect(timeOf(200_000)).toBeLessThan(1000);
  },
);

it.each([
  ['<img alt="a" src="https://a.example/1.png">', '<img alt="a" data-src="https://a.example/1.png">'],
  ["<IMG\nSRC = '//a.example/1.png'/>", "<IMG\ndata-src = '//a.example/1.png'/>"],
  ['<img src="data:image/gif;base64,R0lGODlhAQ">', '<img src="data:image/gif;base64,R0lGODlhAQ">'],
  [
    '<a href="https://a.example">src="https://a.example"</a>',
    '<a href="https://a.example">src="https://a.example"</a>',
  ],
])('takes the address of a remote image only: %s', (html, expected) => {
  expect(withoutImages(html)).toBe(expected);
});

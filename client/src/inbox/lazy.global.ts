import { h } from './dom.ts';

// A page without a bundler can be opened from a disk, where only classic scripts load. Each defines this variable.
declare const notificationPart: unknown;

const { document } = globalThis;
const base = (document?.currentScript as HTMLScriptElement | null)?.src || document?.baseURI;

function load(name: string) {
  return new Promise<never>((resume, fail) => {
    const script = h('script', { src: new URL(`${name}.global.js`, base).href });
    script.onload = () => resume(notificationPart as never);
    script.onerror = fail;
    document.head.append(script);
    script.remove();
  });
}

export const loadPreferences = () => load('preferences');
export const loadLocale = (language: string) => load(`locales/${language}`);

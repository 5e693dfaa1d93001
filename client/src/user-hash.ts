/**
 * Returns the hash that proves a user's identity in secure mode: base64 HMAC-SHA256(clientSecret, userId). Compute it on
 * your server; the client secret must not reach a browser.
 */
export async function userHash(clientSecret: string, userId: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(clientSecret), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, encoder.encode(userId));
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}

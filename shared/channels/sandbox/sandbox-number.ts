/** The number that the sandbox sends text messages and calls from, E.164. */
export const SANDBOX_NUMBER = '+15005550006';

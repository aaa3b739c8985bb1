/** The one form of decoded audio: 16 kHz, mono, signed 16-bit little-endian, no header. */
export const sampleRate = 16_000;
export const bytesPerSample = 2;

/** A WAV file (16 kHz, mono, 16 bit) of one-second tones with half-second pauses between them: sound to split, plainly synthetic. */
export function toneWav(seconds: number): Buffer {
  const rate = 16_000;
  const samples = new Int16Array(Math.round(seconds * rate));
  for (let index = 0; index < samples.length; index += 1) {
    const inPause = (index / rate) % 1.5 >= 1;
    samples[index] = inPause ? 0 : Math.round(8000 * Math.sin((index * 2 * Math.PI * 440) / rate));
  }
  const data = Buffer.from(samples.buffer);
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + data.length, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

"""A bad line between two interfaces of this network namespace.

python3 slow-line.py A B DELAY_MS LOSS
python3 slow-line.py --frames-as-on-a-wire INTERFACE...

Each Ethernet frame that arrives on one of them leaves on the other DELAY_MS later, or never, with the probability LOSS (0 to 1).
Lines on the standard input: "down" drops all frames, also those on their way; "up" ends that. Ends with its input.

The second form first, for the other ends of A and B: the kernel leaves checksums and the division into frames to the hardware,
and virtual interfaces have none.
"""

import array
import fcntl
import heapq
import os
import random
import select
import socket
import struct
import sys
import time

ALL_PROTOCOLS = 3
PACKET_OUTGOING = 4
LARGEST = 65_536


SIOCETHTOOL = 0x8946
# Checksums, scattered frames, large frames of TCP and of others; https://docs.kernel.org/networking/segmentation-offloads.html
SETTINGS_OF_OFFLOADS = [0x17, 0x19, 0x1F, 0x24]


def turn_offloads_off(name):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for setting in SETTINGS_OF_OFFLOADS:
            value = array.array("B", struct.pack("II", setting, 0))
            request = struct.pack("16sP", name.encode(), value.buffer_info()[0])
            fcntl.ioctl(any_socket, SIOCETHTOOL, request)


def open_interface(name):
    interface = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PROTOCOLS))
    interface.bind((name, ALL_PROTOCOLS))
    interface.setblocking(False)
    return interface


def main(names, delay, loss):
    interfaces = [open_interface(name) for name in names]
    other = {interfaces[0]: interfaces[1], interfaces[1]: interfaces[0]}
    on_their_way = []
    count = 0
    is_down = False
    begun = b""
    while True:
        now = time.monotonic()
        while on_their_way and on_their_way[0][0] <= now:
            _, _, interface, frame = heapq.heappop(on_their_way)
            try:
                interface.send(frame)
            except OSError:
                pass  # As a full or unplugged line: the frame is lost.
        wait = max(0, on_their_way[0][0] - now) if on_their_way else None
        readable, _, _ = select.select([*interfaces, sys.stdin], [], [], wait)
        if sys.stdin in readable:
            # Not readline: it takes more than a line, and select does not see what it keeps.
            read = os.read(sys.stdin.fileno(), LARGEST)
            if read == b"":
                return
            *lines, begun = (begun + read).split(b"\n")
            if lines:
                is_down = lines[-1].strip() == b"down"
                on_their_way = []
        for interface in interfaces:
            if interface not in readable:
                continue
            try:
                frame, address = interface.recvfrom(LARGEST)
            except OSError:
                continue
            if address[2] == PACKET_OUTGOING or is_down or random.random() < loss:
                continue
            count += 1
            heapq.heappush(on_their_way, (time.monotonic() + delay, count, other[interface], frame))


if __name__ == "__main__":
    if sys.argv[1] == "--frames-as-on-a-wire":
        for interface_name in sys.argv[2:]:
            turn_offloads_off(interface_name)
        sys.exit()
    main(sys.argv[1:3], float(sys.argv[3]) / 1_000, float(sys.argv[4]))

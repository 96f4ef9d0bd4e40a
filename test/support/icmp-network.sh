# To be run in a network namespace of its own: a network of which no neighbour answers, then the given program,
# once where datagram ICMP sockets are allowed and once where they are not.
set -e
ip link set lo up
ip link add near type veth peer name far
ip addr add 10.77.0.1/24 dev near
ip addr add fd77::1/64 dev near nodad
ip link set near up
ip link set far up
# Neighbours are given up after 0.2 s, not 3 s.
for family in ipv4 ipv6; do
  echo 2 > /proc/sys/net/$family/neigh/near/mcast_solicit
  echo 100 > /proc/sys/net/$family/neigh/near/retrans_time_ms
done
# A neighbour that takes everything and says nothing.
ip neigh add 10.77.0.8 lladdr 02:00:00:00:00:08 dev near
ip route add unreachable 10.88.0.0/16

echo '0 2147483647' > /proc/sys/net/ipv4/ping_group_range
"$@" datagram
echo '1 0' > /proc/sys/net/ipv4/ping_group_range
"$@" raw

"""What judge models are asked, in Korean and English."""
